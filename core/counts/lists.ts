/** Lists responses to a form with their counts: all of them, or those of one user. */

import { type Opener, parsePathId } from '#core/access/access.ts';
import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
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
import { type EntryBatch, listEntries, listOwnEntries, type ResponseEntry } from '#core/responses/store.ts';
import { type Counters, countResponses, loadCounters } from './counters.ts';

type ListRequest = { limit: number; after: string | undefined; progress?: ResponseProgress | undefined };
type ListResult = { body: Omit<ResponseList, 'nextCursor'>; next: string | null };

const BOTH: readonly ResponseProgress[] = ['DRAFT', 'SUBMITTED'];

/** A batch of index entries of all responses to a form, newest first, and the counters of the form. */
export type ListedEntries = { batch: EntryBatch; counters: Counters | undefined };

/** Reads a batch of entries, which `listAllResponses` presents, and the counters, in one round trip. */
export async function readListedEntries(table: Table, formId: string, request: ListRequest): Promise<ListedEntries> {
  const progress = request.progress ? [request.progress] : BOTH;
  const [batch, counters] = await Promise.all([
    listEntries(table, formId, progress, { limit: request.limit, after: request.after, descending: true }),
    loadCounters(table, formId),
  ]);
  return { batch, counters };
}

/** Lists a batch of all responses to a form, newest first, for its members. */
export async function listAllResponses(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  formId: string,
  { batch, counters }: ListedEntries,
): Promise<ListResult> {
  const userIds = batch.entries.map(({ userId }) => userId);
  const [userOf, { draftCount, submittedCount, counting }] = await Promise.all([
    loadListedUsers({ table, now }, userIds),
    countResponses(table, formId, counters),
  ]);
  const responses = batch.entries.map((entry) => presentEntry(entry, userOf(entry.userId)));
  const body = { formId, ...totals(draftCount, submittedCount), ...(counting ? { counting } : {}), responses };
  return { body, next: batch.last };
}

/** Lists a batch of a user's own responses to a form, newest first. A user has at most 100 per form. */
export async function listOwnResponses(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  formId: string,
  userId: string,
  { limit, after, progress }: ListRequest,
): Promise<ListResult> {
  const [userEntries, userOf] = await Promise.all([
    // Indexes lag: a response may briefly have two entries.
    listOwnEntries(table, userId, 2 * MAX_OWN_RESPONSES, formId),
    loadListedUsers({ table, now }, [userId]),
  ]);
  const submittedCount = userEntries.filter((entry) => entry.progress === 'SUBMITTED').length;
  const matching = userEntries.filter(
    (entry) => (!progress || entry.progress === progress) && (!after || entryPosition(entry) < after),
  );
  const listed = matching.slice(0, limit);
  const last = listed.at(-1);
  const responses = listed.map((entry) => presentEntry(entry, userOf(userId)));
  return {
    body: { formId, ...totals(userEntries.length - submittedCount, submittedCount), responses },
    next: matching.length > limit && last ? entryPosition(last) : null,
  };
}

const totals = (draftCount: number, submittedCount: number) => ({
  totalCount: draftCount + submittedCount,
  draftCount,
  submittedCount,
});

const entryPosition = ({ createdAt, id }: ResponseEntry): string => `${createdAt}#${id}`;

const presentEntry = (entry: ResponseEntry, respondent: ShortUser): ResponseItem => ({
  id: entry.id,
  submittedBy: entry.userId,
  respondent,
  progress: entry.progress,
  createdAt: entry.createdAt,
  updatedAt: entry.listedAt,
  submittedAt: entry.submittedAt,
});

// Opener of the list of a form's responses.

/**
 * Opens the gate of the form of `{formId}`, and the requested batch of all its responses: for members only, but read
 * before it is known whether the caller is one. `listed` is undefined for others.
 */
export const openListedResponses: Opener<OpenedGate & { listed: ListedEntries | undefined }> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const query = ResponseListQuery().safeParse(call.input?.query).data;
  const [opened, listed] = await Promise.all([
    openGate(call),
    query && readListedEntries(call.app.table, formId, { ...query, after: call.input?.after }),
  ]);
  return { ...opened, resource: { ...opened.resource, listed: opened.resource.editor ? listed : undefined } };
};
