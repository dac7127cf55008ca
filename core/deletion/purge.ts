/**
 * Carries out queued deletions: removes what belongs to a deleted resource, in bounded steps that can be repeated, in two
 * passes, and logs a receipt with what was removed. A step that was interrupted removes the rest the next time. A resource
 * that exists again under the id of the deleted one is never touched: its deletion fails, which raises an alarm.
 */

import { keepUnused } from '#core/accounts/invitation.ts';
import { removeTallies } from '#core/counts/tallies.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { objectPrefixes } from '#core/db/bucket.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, ItemListRequest } from '#core/db/table.ts';
import { FormStatus } from '#core/forms/model.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { parseStoredRow, queueClearing } from '#core/jobs/sheet-row.ts';
import { forgetNotices } from '#core/organizations/notices.ts';
import { removeFormerMember } from '#core/organizations/store.ts';
import { parseTree } from '#core/organizations/units.ts';
import { listFileIds } from '#core/responses/model.ts';
import {
  addToFileCount,
  listEntries,
  parseResponse,
  removeDeletedMark,
  removeResponse,
} from '#core/responses/store.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import { UPLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import {
  type DeletedResource,
  type Deletion,
  deleteFormOfOrganization,
  partitionKey,
  type RemovedCounts,
} from './marks.ts';

/** When the second pass begins: upload URLs have expired, and indexes have settled. */
const SECOND_PASS_SECONDS = 2 * UPLOAD_URL_SECONDS;
/** When a step that removed nothing is repeated: an index names what was removed for about a second more. */
const SETTLED_SECONDS = 10;
/** The number of steps of one attempt. */
const STEPS = 5;
/** The time that must be left to begin a step. */
const STEP_MS = 20_000;

export const deletions = attemptEach({ claimSeconds: 300, parallel: 5, minMs: STEP_MS, attempt });

async function attempt(app: Ports, { data }: Job<Deletion>): Promise<JobOutcome> {
  const [existing] = await app.table.read([partitionKey(data)]);
  if (data.type === 'response' ? parseResponse(existing) : existing)
    return { result: 'failed', reason: 'exists_again' };
  let { removed, after } = data;
  // What the response counted is subtracted, so its tally is not simply removed with its other items.
  if (data.type === 'response') await tallyResponses(app, [data.id]);
  if (data.type === 'response' && data.guestId !== undefined) await forgetUnused(app, data.guestId);
  for (let count = 1; count <= STEPS && remainingMs() >= STEP_MS; count += 1) {
    // Each step continues after the one before.
    const step = await purge(app, data, after);
    removed = addRemoved(removed, step.removed);
    after = step.after;
    if (step.isComplete) return finishPass(app, { ...data, removed });
    const isIdle = Object.values(step.removed).every((number) => number === 0);
    if (isIdle) return continueLater({ ...data, removed, after: undefined }, SETTLED_SECONDS);
  }
  return continueLater({ ...data, removed, after }, 0);
}

/** Lets what is stored of a guest with a confirmed address go some time after the last of their responses. */
const forgetUnused = ({ table, now }: Ports, guestId: string): Promise<boolean> =>
  wasWritten(table, [keepUnused(guestId, epochSeconds(now()) + GUEST_DRAFT_DAYS * 24 * 60 * 60)]);

/** Ends a pass in which nothing is left to remove, and begins the second one after the first. */
async function finishPass(app: Ports, { after: _end, ...data }: Deletion): Promise<JobOutcome> {
  if (data.pass === 1) return continueLater({ ...data, pass: 2 }, SECOND_PASS_SECONDS);
  if (data.type === 'response') await wasWritten(app.table, [removeDeletedMark(data.id)]);
  app.log({ level: 'info', receipt: 'deletion', type: data.type, id: data.id, ...data.removed });
  return DONE;
}

const continueLater = (data: Deletion, seconds: number): JobOutcome => ({ result: 'continue', data, seconds });

const addRemoved = (a: RemovedCounts, b: Partial<RemovedCounts>): RemovedCounts => {
  const total = { ...a };
  for (const name of Object.keys(a) as (keyof RemovedCounts)[]) total[name] += b[name] ?? 0;
  return total;
};

/** The number of responses, forms or members that one step removes. */
const STEP = 100;
/** The number of responses, forms or members that are removed at once. */
const PARALLEL = 20;
/** The number of objects that one call of the bucket port removes. */
const OBJECTS = 1_000;

/**
 * What a step removed, and whether nothing is left to remove. Indexes lag: a batch of entries of what was removed before
 * is not the end, so a step can remove nothing without being complete. `after`: where the next step continues in the list
 * of responses; undefined at its beginning.
 */
type PurgeStep = { removed: Partial<RemovedCounts>; isComplete: boolean; after?: string | undefined };

/** Removes some of what belongs to a deleted resource. `after`: see `PurgeStep`. */
function purge(app: Ports, resource: DeletedResource, after?: string): Promise<PurgeStep> {
  if (resource.type === 'response') return purgeResponse(app, resource);
  return resource.type === 'form' ? purgeForm(app, resource.id, after) : purgeOrganization(app, resource.id);
}

async function purgeResponse(app: Ports, resource: Extract<DeletedResource, { type: 'response' }>): Promise<PurgeStep> {
  await app.table.remove(resource.fileIds.map(keys.file));
  const objects = await removeObjects(app, objectPrefixes.response(resource.id));
  const items = await removeItems(app, resource);
  return {
    removed: { objects: objects.count, items: items.count },
    isComplete: objects.isComplete && items.isComplete,
  };
}

async function purgeForm(app: Ports, formId: string, after: string | undefined): Promise<PurgeStep> {
  const batch = await listEntries(app.table, formId, ['DRAFT', 'SUBMITTED'], { limit: STEP, after });
  const ids = batch.entries.map(({ id }) => id);
  for (let index = 0; index < ids.length; index += PARALLEL) {
    // Before the responses: a tally without its response would not be found again.
    await removeTallies(app, ids.slice(index, index + PARALLEL));
  }
  const fileCounts = await runInGroups(ids, (id) => removeFormResponse(app, id));
  const files = fileCounts.filter((count) => count !== undefined);
  const removed = { responses: files.length, files: files.reduce((sum, count) => sum + count, 0) };
  // The list is complete when a read from its start returns nothing. The second pass finds responses that it lacks.
  if (batch.entries.length > 0 || after !== undefined)
    return { removed, isComplete: false, after: batch.last ?? undefined };
  const failedJobs = await removeFailedJobs(app, formId);
  if (!failedJobs.isComplete) return { removed: { items: failedJobs.count }, isComplete: false };
  await forgetNotices(app, formId);
  const objects = await removeObjects(app, objectPrefixes.form(formId));
  const items = await removeItems(app, { type: 'form', id: formId });
  return {
    removed: { objects: objects.count, items: items.count },
    isComplete: objects.isComplete && items.isComplete,
  };
}

/**
 * Runs a function for each resource, in groups, because each takes several calls of storage. When one fails, the
 * others of its group are not left running.
 */
async function runInGroups<T, R>(resources: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < resources.length; index += PARALLEL) {
    const group = resources.slice(index, index + PARALLEL).map(run);
    await Promise.allSettled(group);
    results.push(...(await Promise.all(group)));
  }
  return results;
}

/**
 * Removes a response of a deleted form with its items and those of its files; its objects are removed with the form.
 * Returns the number of its files, undefined when nothing was removed. A request that began before the deletion may still
 * change it: its write and the removal exclude each other, and a later step removes what it wrote.
 */
async function removeFormResponse(app: Ports, responseId: string): Promise<number | undefined> {
  const responseKey = keys.response(responseId);
  const items = await listAllItems(app, { ...partitions.itemsOf(responseKey), limit: STEP });
  const item = items.find(({ sk }) => sk === responseKey.sk);
  const response = parseResponse(item);
  // It was deleted before the form; its own deletion removes the rest.
  if (item && !response) return undefined;
  const fileIds = response ? listFileIds(response) : [];
  // A tally that was written meanwhile is removed by the worker that subtracts what it counts.
  const excludedSortKeys = [responseKey.sk, keys.tally(responseId).sk];
  await app.table.remove([...fileIds.map(keys.file), ...items.filter(({ sk }) => !excludedSortKeys.includes(sk))]);
  if (!response) return undefined;
  const writes = [removeResponse(response), ...addToFileCount(response.userId, -fileIds.length)];
  return (await wasWritten(app.table, writes)) ? fileIds.length : undefined;
}

/**
 * Removes the failed jobs of a deleted form. Those that clear rows of responses that were deleted before are under
 * keys of their own, which only the index of failed jobs names.
 */
async function removeFailedJobs(app: Ports, formId: string): Promise<Removal> {
  const { items } = await app.table.list({ ...partitions.failedJobs(formId, 'spreadsheet-row'), limit: STEP });
  const jobItems = (await app.table.read(items)).filter((item) => item !== undefined);
  await app.table.remove(jobItems);
  return { count: jobItems.length, isComplete: items.length === 0 };
}

/** Reads all items of a partition; those of a response are few. */
async function listAllItems(app: Ports, request: ItemListRequest): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const batch = await app.table.list({ ...request, after });
    items.push(...batch.items);
    after = batch.last ?? undefined;
  } while (after !== undefined);
  return items;
}

async function purgeOrganization(app: Ports, orgId: string): Promise<PurgeStep> {
  const batches = await Promise.all(
    FormStatus().options.map((status) => app.table.list({ ...partitions.formsOf(orgId, status), limit: STEP })),
  );
  const formIds = [...new Set(batches.flatMap((batch) => batch.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk))))];
  const heads = await app.table.read(formIds.map(keys.formHead));
  const existingIds = formIds.filter((_, index) => heads[index] !== undefined);
  await runInGroups(existingIds, (formId) => deleteFormOfOrganization(app, formId));
  if (formIds.length > 0) return { removed: { forms: existingIds.length }, isComplete: false };
  const members = await app.table.list({ ...partitions.members(orgId), limit: STEP });
  await runInGroups(members.items, ({ userId }) => removeFormerMember(app.table, orgId, String(userId)));
  if (members.items.length > 0) return { removed: { members: members.items.length }, isComplete: false };
  const [tree] = await app.table.read([keys.unitTree(orgId)]);
  const unitKeys = parseTree(tree).units.map(({ id }) => keys.unit(id));
  await app.table.remove(unitKeys);
  const items = await removeItems(app, { type: 'organization', id: orgId });
  return { removed: { items: items.count + unitKeys.length }, isComplete: items.isComplete };
}

/** How many were removed, and whether there are no others. */
type Removal = { count: number; isComplete: boolean };

/**
 * Removes some items in the partition of a resource, except for its deletion itself, the mark of a deleted response and
 * its tally, which is removed as it is subtracted from the counters. Before an item that names a row of a spreadsheet is removed, the
 * clearing of the row is queued.
 */
async function removeItems(app: Ports, resource: Pick<DeletedResource, 'type' | 'id'>): Promise<Removal> {
  const owner = partitionKey(resource);
  const { id, type } = resource;
  const excludedKeys = [keys.deletion(owner), keys.tally(id), ...(type === 'response' ? [keys.response(id)] : [])];
  const excludedSortKeys = excludedKeys.map(({ sk }) => sk);
  const { items, last } = await app.table.list({ ...partitions.itemsOf(owner), limit: STEP + excludedSortKeys.length });
  const removable = items.filter(({ sk }) => !excludedSortKeys.includes(sk));
  const rows = removable.map(parseStoredRow).filter((row) => row !== undefined);
  await runInGroups(rows, (row) => app.table.write([queueClearing(row, app.now())]));
  await app.table.remove(removable);
  return { count: removable.length, isComplete: last === null };
}

async function removeObjects(app: Ports, prefixes: readonly string[]): Promise<Removal> {
  const counts = await Promise.all(prefixes.map((prefix) => app.bucket.removeSome(prefix)));
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    isComplete: counts.every((count) => count < OBJECTS),
  };
}
