/** Loads the data of the table of responses. */
import type { ShortUser } from '#core/accounts/model.ts';
import type { ResponseCounts } from '#core/counts/counters.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Going } from '#core/responses/going.ts';
import type { Answer } from '#core/responses/model.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { CountedHighlight } from '#core/table/counted-highlight.ts';
import type { Facets } from '#core/table/facets.ts';
import type { MatchCount } from '#core/table/page.ts';
import type { TableColumn } from '#core/table/table.ts';
import type { SavedView } from '#core/views/model.ts';
import type { ListAddress } from './list-address.ts';
import type { NoticeChoice } from './notices.ts';

export type TableRow = {
  id: string;
  respondent: ShortUser;
  submittedAt: string | null;
  /** In the order of the columns. */
  answers: readonly (Answer | undefined)[];
};

export type TablePage = {
  gate: Gate;
  structure: Structure;
  address: ListAddress;
  isOpen: boolean;
  views: readonly SavedView[];
  current: SavedView | undefined;
  columns: readonly TableColumn[];
  /** How many columns there would be, without a limit. */
  allColumns: number;
  rows: readonly TableRow[];
  /** The cursor before which the previous page is; null on the first page. */
  previous: string | null;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** How many responses match the filter and the search; undefined without them. */
  matches: MatchCount | undefined;
  /** The form has too many responses to be sorted by answers. */
  isTooLargeToSort: boolean;
  counts: ResponseCounts;
  /** Whether the reader may delete responses. */
  mayDelete: boolean;
  /** Whether submissions of the form lead to mails. */
  mayResend: boolean;
  /** How many mails could not be sent, up to 100. */
  failedCount: number;
  /** How many responses are deleted next for their age, up to 100, and when; undefined for none. */
  going: Going | undefined;
  /** How often the reader gets mails about new responses. */
  notices: NoticeChoice;
  highlight: CountedHighlight | undefined;
  /** The open filter. */
  facets: Facets | undefined;
};
