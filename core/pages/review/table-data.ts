/** Loads the data of the table of responses. */

import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { type Counters, countResponses, type ResponseCounts } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import { type Gate, isOpen } from '#core/forms/gate.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import type { Answer } from '#core/responses/model.ts';
import { MAX_SEARCHED } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { isSortable } from '#core/structure/types/types.ts';
import { countMatching, listCountedValues } from '#core/table/counted.ts';
import { type Facets, planFacets } from '#core/table/facets.ts';
import { type CountedHighlight, type Highlight, loadHighlight } from '#core/table/highlight.ts';
import {
  isUnfiltered,
  listMatchingResponses,
  listSortedResponses,
  type MatchCount,
  type Visit,
} from '#core/table/search.ts';
import { answersInTable, listColumns, type TableColumn } from '#core/table/table.ts';
import type { SavedView, Views } from '#core/views/model.ts';
import { listViewColumns } from './columns.ts';
import { identifyTable, type ListAddress, toTableQuery } from './list-address.ts';

/** Columns of the table without a view. */
const STANDARD_COLUMNS = 20;
/** Rows of a page of a table with many columns, so that the page stays small. */
const ROWS_OF_WIDE_TABLES = 10;
const WIDE_COLUMNS = 60;

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
  highlight: CountedHighlight | undefined;
  /** The open filter. */
  facets: Facets | undefined;
};

type Opened = {
  gate: Gate;
  structure: Structure;
  views: Views;
  highlight: Highlight | undefined;
  counters: Counters | undefined;
  address: ListAddress;
};

/** Loads the table at an address. A removed view or question is ignored. Throws 400 for a cursor of another list. */
export async function loadTablePage(app: Pick<Ports, 'table' | 'now'>, opened: Opened): Promise<TablePage> {
  const { gate, structure, views, counters } = opened;
  const tableColumns = listColumns(structure);
  const current = views.views.find(({ id }) => id === opened.address.viewId);
  const knownIds = new Set(tableColumns.map(({ id }) => id));
  const filters = opened.address.filters.filter(({ questionId }) => knownIds.has(questionId));
  const sortedBy = tableColumns.find(({ id }) => id === opened.address.sort.questionId);
  const sort = sortedBy && isSortable(sortedBy) ? opened.address.sort : { descending: opened.address.sort.descending };
  const requested: ListAddress = { ...opened.address, viewId: current?.id, filters, sort };
  const columns = current
    ? listViewColumns(structure, current)
    : tableColumns.filter(({ question }) => question).slice(0, STANDARD_COLUMNS);
  const filterable = tableColumns.filter(
    (column) =>
      filters.some(({ questionId }) => questionId === column.id) ||
      (columns.includes(column) && !getTraits(column.type).isDistinct),
  );
  const query = toTableQuery(requested);
  const { respondent, facetId } = requested;
  const plan = requested.isFiltering
    ? planFacets(structure, { columns: filterable, filters, respondent, counters, requested: facetId })
    : undefined;
  const matching = requested.page?.matches ? undefined : countMatching(app.table, structure, counters, query);
  const submitted = counters?.isComplete ? counters.submitted : undefined;
  const [rowBatch, counted, counts, highlight] = await Promise.all([
    loadRows(app, structure, columns, { address: requested, submitted, matching, visit: plan?.visit }),
    listCountedValues(app.table, structure, counters, plan?.counted ?? []),
    countResponses(app.table, gate.formId, counters),
    loadHighlight(app, { structure, highlight: opened.highlight }, counters),
  ]);
  const facets = plan?.build(counted, rowBatch.isWhole);
  const standardCount = tableColumns.filter(({ question }) => question).length;
  return {
    ...{ gate, structure, views: views.views, current, columns, counts, highlight, facets },
    ...rowBatch,
    isTooLargeToSort: rowBatch.isTooLargeToSort || counts.submittedCount > MAX_SEARCHED,
    isOpen: isOpen(gate, app.now()),
    allColumns: current ? columns.length : standardCount,
  };
}

type Rows = Pick<TablePage, 'address' | 'rows' | 'previous' | 'next' | 'matches' | 'isTooLargeToSort'> & {
  /** Whether all responses were read that match the search. */
  isWhole: boolean;
};

type RowRequest = {
  address: ListAddress;
  /** The number of submitted responses, if it is known. */
  submitted: number | undefined;
  /** How many responses match, if the counters know. */
  matching: Promise<number> | undefined;
  visit: Visit | undefined;
};

/**
 * Loads the rows of a page; the first one of a filtered table also counts how many match, in the same pass. A form that is
 * too large to be sorted by answers is shown from its newest response.
 */
async function loadRows(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  columns: readonly TableColumn[],
  { address, submitted = 0, matching, visit }: RowRequest,
): Promise<Rows> {
  const limit = columns.length > WIDE_COLUMNS ? ROWS_OF_WIDE_TABLES : address.rows;
  const { page } = address;
  const query = toTableQuery(address);
  const list = identifyTable(address);
  const counts = !isUnfiltered(query) && !matching;
  const request = {
    limit,
    after: page && 'after' in page ? decodeCursor(list, page.after) : undefined,
    before: page && 'before' in page ? decodeCursor(list, page.before) : undefined,
    whole: counts || visit ? { visit } : undefined,
  };
  const { questionId, descending } = address.sort;
  const maySort = questionId !== undefined && submitted <= MAX_SEARCHED;
  const found = maySort
    ? await listSortedResponses(app, structure, { ...query, sort: { questionId, descending } }, request)
    : questionId === undefined && (await listMatchingResponses(app, structure, query, request));
  if (!found) {
    const newest = { ...address, sort: { descending: true }, page: undefined };
    // The attempt to sort has visited the responses.
    const rest = { address: newest, submitted, matching, visit: maySort ? undefined : visit };
    return { ...(await loadRows(app, structure, columns, rest)), isTooLargeToSort: true };
  }
  const { responses, first, last } = found;
  const [findUser, exact] = await Promise.all([
    loadListedUsers(
      app,
      responses.map(({ userId }) => userId),
    ),
    matching,
  ]);
  const matches = exact === undefined ? (page?.matches ?? found.matches) : { count: exact, isComplete: true };
  const rows = responses.map((response) => ({
    id: response.id,
    respondent: findUser(response.userId),
    submittedAt: response.submittedAt,
    answers: answersInTable(response, structure, columns),
  }));
  return {
    address,
    rows,
    previous: first === null ? null : encodeCursor(list, first),
    next: last === null ? null : encodeCursor(list, last),
    matches: isUnfiltered(query) ? undefined : matches,
    isWhole: found.matches?.isComplete === true,
    isTooLargeToSort: false,
  };
}
