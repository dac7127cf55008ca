/**
 * Removes what belongs to a deleted resource, in bounded steps that can be repeated: a step that was interrupted removes
 * the rest the next time.
 */

import { removeTallies } from '#core/counts/tallies.ts';
import { objectsOf } from '#core/db/bucket.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { writeUnlessRefused } from '#core/db/retry.ts';
import type { Item, PageRequest } from '#core/db/table.ts';
import { FormStatus } from '#core/forms/model.ts';
import { queueClearing, storedRowOf } from '#core/jobs/sheet-row.ts';
import { removeFormerMember } from '#core/organizations/store.ts';
import { treeOf } from '#core/organizations/units.ts';
import { countFiles } from '#core/responses/files.ts';
import { fileIdsOf } from '#core/responses/model.ts';
import { pageEntries, removeResponse, responseOf } from '#core/responses/store.ts';
import { type DeletedResource, deleteFormOf, ownerKey, type Removed } from './marks.ts';

/** The number of responses, forms or members that one step removes. */
const STEP = 100;
/** The number of responses, forms or members that are removed at once. */
const PARALLEL = 20;
/** The number of objects that one call of the bucket port removes. */
const OBJECTS = 1_000;

/**
 * What a step removed, and whether nothing is left to remove. Indexes lag: a page of entries of what was removed before
 * is not the end, so a step can remove nothing without being complete. `after`: where the next step continues in the list
 * of responses; undefined at its beginning.
 */
export type Step = { removed: Partial<Removed>; isComplete: boolean; after?: string | undefined };

/** Removes some of what belongs to a deleted resource. `after`: see `Step`. */
export function purge(app: Ports, resource: DeletedResource, after?: string): Promise<Step> {
  if (resource.type === 'response') return purgeResponse(app, resource);
  return resource.type === 'form' ? purgeForm(app, resource.id, after) : purgeOrganization(app, resource.id);
}

async function purgeResponse(app: Ports, resource: Extract<DeletedResource, { type: 'response' }>): Promise<Step> {
  await app.table.remove(resource.fileIds.map(keys.file));
  const objects = await removeObjects(app, objectsOf.response(resource.id));
  const items = await removeItems(app, resource);
  return {
    removed: { objects: objects.count, items: items.count },
    isComplete: objects.isComplete && items.isComplete,
  };
}

async function purgeForm(app: Ports, formId: string, after: string | undefined): Promise<Step> {
  const page = await pageEntries(app.table, formId, ['DRAFT', 'SUBMITTED'], { limit: STEP, after });
  const ids = page.entries.map(({ id }) => id);
  for (let index = 0; index < ids.length; index += PARALLEL) {
    // Before the responses: a tally without its response would not be found again.
    await removeTallies(app, ids.slice(index, index + PARALLEL));
  }
  const fileCounts = await someAtATime(ids, (id) => removeResponseOf(app, id));
  const files = fileCounts.filter((count) => count !== undefined);
  const removed = { responses: files.length, files: files.reduce((sum, count) => sum + count, 0) };
  // The end is a list without entries, from its beginning. The second pass finds responses that it does not name yet.
  if (page.entries.length > 0 || after !== undefined)
    return { removed, isComplete: false, after: page.last ?? undefined };
  const parked = await removeParked(app, formId);
  if (!parked.isComplete) return { removed: { items: parked.count }, isComplete: false };
  const objects = await removeObjects(app, objectsOf.form(formId));
  const items = await removeItems(app, { type: 'form', id: formId });
  return {
    removed: { objects: objects.count, items: items.count },
    isComplete: objects.isComplete && items.isComplete,
  };
}

/**
 * Runs something for each of some resources, for some at a time: each takes several calls of storage. When one fails, the
 * others of its group are not left running.
 */
async function someAtATime<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < all.length; index += PARALLEL) {
    const group = all.slice(index, index + PARALLEL).map(run);
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
async function removeResponseOf(app: Ports, responseId: string): Promise<number | undefined> {
  const own = keys.response(responseId);
  const items = await allOf(app, { ...partitions.itemsOf(own), limit: STEP });
  const response = responseOf(items.find(({ sk }) => sk === own.sk));
  const fileIds = response ? fileIdsOf(response) : [];
  // A tally that was written meanwhile is removed by the worker that subtracts what it counts.
  const kept = [own.sk, keys.tally(responseId).sk];
  await app.table.remove([...fileIds.map(keys.file), ...items.filter(({ sk }) => !kept.includes(sk))]);
  if (!response) return undefined;
  const writes = [removeResponse(response), ...countFiles(response.userId, -fileIds.length)];
  return (await writeUnlessRefused(app.table, writes)) ? fileIds.length : undefined;
}

/**
 * Removes the parked deliveries of a deleted form. Those that clear rows of responses that were deleted before are under
 * keys of their own, which only the index of parked deliveries names.
 */
async function removeParked(app: Ports, formId: string): Promise<Removal> {
  const { items } = await app.table.page({ ...partitions.parked(formId, 'spreadsheet-row'), limit: STEP });
  const found = (await app.table.read(items)).filter((item) => item !== undefined);
  await app.table.remove(found);
  return { count: found.length, isComplete: items.length === 0 };
}

/** The items of a partition; those of a response are few. */
async function allOf(app: Ports, request: PageRequest): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page = await app.table.page({ ...request, after });
    items.push(...page.items);
    after = page.last ?? undefined;
  } while (after !== undefined);
  return items;
}

async function purgeOrganization(app: Ports, orgId: string): Promise<Step> {
  const pages = await Promise.all(
    FormStatus().options.map((status) => app.table.page({ ...partitions.formsOf(orgId, status), limit: STEP })),
  );
  const formIds = [...new Set(pages.flatMap((page) => page.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk))))];
  const heads = await app.table.read(formIds.map(keys.formHead));
  const present = formIds.filter((_, index) => heads[index] !== undefined);
  await someAtATime(present, (formId) => deleteFormOf(app, formId));
  if (formIds.length > 0) return { removed: { forms: present.length }, isComplete: false };
  const members = await app.table.page({ ...partitions.members(orgId), limit: STEP });
  await someAtATime(members.items, ({ userId }) => removeFormerMember(app.table, orgId, String(userId)));
  if (members.items.length > 0) return { removed: { members: members.items.length }, isComplete: false };
  const [tree] = await app.table.read([keys.unitTree(orgId)]);
  const unitKeys = treeOf(tree).units.map(({ id }) => keys.unit(id));
  await app.table.remove(unitKeys);
  const items = await removeItems(app, { type: 'organization', id: orgId });
  return { removed: { items: items.count + unitKeys.length }, isComplete: items.isComplete };
}

/** How many were removed, and whether there are no others. */
type Removal = { count: number; isComplete: boolean };

/**
 * Removes some items in the partition of a resource, except for its deletion itself and the tally of a response, which
 * is removed as it is subtracted from the counters. Before an item that names a row of a spreadsheet is removed, the
 * clearing of the row is queued.
 */
async function removeItems(app: Ports, resource: Pick<DeletedResource, 'type' | 'id'>): Promise<Removal> {
  const owner = ownerKey(resource);
  const kept = [keys.deletion(owner).sk, keys.tally(resource.id).sk];
  const { items, last } = await app.table.page({ ...partitions.itemsOf(owner), limit: STEP + kept.length });
  const others = items.filter(({ sk }) => !kept.includes(sk));
  const rows = others.map(storedRowOf).filter((row) => row !== undefined);
  await someAtATime(rows, (row) => app.table.write([queueClearing(row, app.now())]));
  await app.table.remove(others);
  return { count: others.length, isComplete: last === null };
}

async function removeObjects(app: Ports, prefixes: readonly string[]): Promise<Removal> {
  const counts = await Promise.all(prefixes.map((prefix) => app.bucket.removeSome(prefix)));
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    isComplete: counts.every((count) => count < OBJECTS),
  };
}
