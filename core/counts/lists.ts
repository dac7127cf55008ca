/** Lists of responses to a form with their counts: all of them, or those of one user. */

import { type Opener, pathId } from '#core/access/access.ts';
import { loadAccounts } from '#core/accounts/accounts.ts';
import { type Account, showShortUser } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { type OpenedGate, openGate } from '#core/forms/open.ts';
import {
  MAX_OWN_RESPONSES,
  type ResponseItem,
  type ResponseList,
  ResponseListQuery,
  type ResponseProgress,
} from '#core/responses/model.ts';
import { type EntryPage, ownEntries, pageEntries, type ResponseEntry } from '#core/responses/store.ts';
import { type Counters, countResponses, loadCounters } from './counters.ts';

type Range = { limit: number; after: string | undefined; progress?: ResponseProgress | undefined };
type ListPage = { body: Omit<ResponseList, 'nextCursor'>; next: string | null };

const BOTH: readonly ResponseProgress[] = ['DRAFT', 'SUBMITTED'];

/** The index entries of one page of all responses to a form, newest first, and the counters of the form. */
export type ListedEntries = { page: EntryPage; counters: Counters | undefined };

/** Reads the entries of a page, which `listAllResponses` shows, and the counters, in one round trip. */
export async function readListedEntries(table: Table, formId: string, range: Range): Promise<ListedEntries> {
  const progress = range.progress ? [range.progress] : BOTH;
  const [page, counters] = await Promise.all([
    pageEntries(table, formId, progress, { limit: range.limit, after: range.after, descending: true }),
    loadCounters(table, formId),
  ]);
  return { page, counters };
}

/** One page of all responses to a form, newest first, for its members. */
export async function listAllResponses(
  { table }: Pick<Ports, 'table'>,
  formId: string,
  { page, counters }: ListedEntries,
): Promise<ListPage> {
  const userIds = page.entries.map(({ userId }) => userId);
  const [people, { draftCount, submittedCount, counting }] = await Promise.all([
    loadAccounts(table, userIds),
    countResponses(table, formId, counters),
  ]);
  const responses = page.entries.map((entry) => itemOf(entry, people.get(entry.userId)));
  const body = { formId, ...totals(draftCount, submittedCount), ...(counting ? { counting } : {}), responses };
  return { body, next: page.last };
}

/** One page of a user's own responses to a form, newest first. A user has at most 100 per form. */
export async function listOwnResponses(
  { table }: Pick<Ports, 'table'>,
  formId: string,
  userId: string,
  { limit, after, progress }: Range,
): Promise<ListPage> {
  const [own, people] = await Promise.all([
    // Indexes lag: a response may briefly have two entries.
    ownEntries(table, userId, 2 * MAX_OWN_RESPONSES, formId),
    loadAccounts(table, [userId]),
  ]);
  const submittedCount = own.filter((entry) => entry.progress === 'SUBMITTED').length;
  const rest = own.filter(
    (entry) => (!progress || entry.progress === progress) && (!after || positionOf(entry) < after),
  );
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const responses = shown.map((entry) => itemOf(entry, people.get(userId)));
  return {
    body: { formId, ...totals(own.length - submittedCount, submittedCount), responses },
    next: rest.length > limit && last ? positionOf(last) : null,
  };
}

const totals = (draftCount: number, submittedCount: number) => ({
  totalCount: draftCount + submittedCount,
  draftCount,
  submittedCount,
});

const positionOf = ({ createdAt, id }: ResponseEntry): string => `${createdAt}#${id}`;

const itemOf = (entry: ResponseEntry, respondent: Account | undefined): ResponseItem => ({
  id: entry.id,
  submittedBy: entry.userId,
  respondent: showShortUser(entry.userId, respondent),
  progress: entry.progress,
  createdAt: entry.createdAt,
  updatedAt: entry.listedAt,
  submittedAt: entry.submittedAt,
});

// Opener of the list of a form's responses.

/**
 * The gate of the form of `{formId}`, and the requested page of all its responses: for members only, but read before it
 * is known whether the caller is one. `listed` is undefined for others.
 */
export const openListedResponses: Opener<OpenedGate & { listed: ListedEntries | undefined }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const query = ResponseListQuery().safeParse(call.input?.query).data;
  const [opened, listed] = await Promise.all([
    openGate(call),
    query && readListedEntries(call.app.table, formId, { ...query, after: call.input?.after }),
  ]);
  return { ...opened, resource: { ...opened.resource, listed: opened.resource.editor ? listed : undefined } };
};
