/**
 * Removes what belongs to a deleted resource, in bounded steps that can be repeated: a step that was interrupted removes
 * the rest the next time.
 */
import { type Key, keys, lastPart, partitions } from '#core/db/keys.ts';
import { objectsOf } from '#core/db/objects.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, PageRequest } from '#core/db/table.ts';
import { FormStatus } from '#core/forms/model.ts';
import { removeFormerMember } from '#core/organizations/store.ts';
import { treeOf } from '#core/organizations/unit-store.ts';
import { queueClearing, storedRowOf } from '#core/outbox/sheet-row.ts';
import { countFiles } from '#core/responses/files.ts';
import { fileIdsOf } from '#core/responses/model.ts';
import { removeResponse, responseOf, someResponseIds } from '#core/responses/store.ts';
import { deleteFormOf } from './form.ts';
import { type DeletedResource, ownerKey, type Removed } from './queue.ts';

/** The number of responses, forms or members that one step removes. */
const STEP = 100;
/** The number of responses that are removed at once. */
const PARALLEL = 20;
/** The number of objects that one call of the bucket port removes. */
const OBJECTS = 1_000;

/** What a step removed, and whether nothing was left to remove. */
export type Step = { removed: Partial<Removed>; isComplete: boolean };

/** Removes some of what belongs to a deleted resource. */
export function purge(app: Ports, resource: DeletedResource): Promise<Step> {
  if (resource.type === 'response') return purgeResponse(app, resource);
  return resource.type === 'form' ? purgeForm(app, resource.id) : purgeOrganization(app, resource.id);
}

async function purgeResponse(app: Ports, resource: Extract<DeletedResource, { type: 'response' }>): Promise<Step> {
  await app.table.remove(resource.fileIds.map(keys.file));
  const objects = await removeObjects(app, objectsOf.response(resource.id));
  await queueClearings(app, resource.id);
  const items = await removeItems(app, resource, STEP);
  return {
    removed: { objects: objects.count, items },
    isComplete: objects.isComplete && items < STEP,
  };
}

/** Queues that the rows of a response are cleared, before the items that name them are removed. */
async function queueClearings(app: Ports, responseId: string): Promise<void> {
  const { items } = await app.table.page({ ...partitions.rowsOf(responseId), limit: STEP });
  const rows = items.map(storedRowOf).filter((row) => row !== undefined);
  await Promise.all(rows.map((row) => app.table.write([queueClearing(row, app.now())])));
}

async function purgeForm(app: Ports, formId: string): Promise<Step> {
  const ids = await someResponseIds(app.table, formId, STEP);
  const removed = { responses: 0, files: 0 };
  for (let index = 0; index < ids.length; index += PARALLEL) {
    // Some at a time: each takes several calls of storage.
    const results = await Promise.all(ids.slice(index, index + PARALLEL).map((id) => removeResponseOf(app, id)));
    for (const fileCount of results.filter((result) => result !== undefined)) {
      removed.responses += 1;
      removed.files += fileCount;
    }
  }
  // An index lags: it may name responses that are gone. The second pass finds those that it does not name yet.
  if (removed.responses > 0) return { removed, isComplete: false };
  const objects = await removeObjects(app, objectsOf.form(formId));
  const items = await removeItems(app, { type: 'form', id: formId }, STEP);
  return { removed: { objects: objects.count, items }, isComplete: objects.isComplete && items < STEP };
}

/**
 * Removes a response of a deleted form with its items and those of its files; its objects are removed with the form.
 * Returns the number of its files, undefined when it was gone. A request that began before the deletion may still change
 * it: its write and the removal exclude each other, and the next step removes what it wrote.
 */
async function removeResponseOf(app: Ports, responseId: string): Promise<number | undefined> {
  const own = keys.response(responseId);
  const items = await allOf(app, { ...partitions.itemsOf(own), limit: STEP });
  const response = responseOf(items.find(({ sk }) => sk === own.sk));
  const fileIds = response ? fileIdsOf(response) : [];
  await app.table.remove([...fileIds.map(keys.file), ...items.filter(({ sk }) => sk !== own.sk)]);
  if (!response) return undefined;
  await wasWritten(app.table.write([removeResponse(response), ...countFiles(response.userId, -fileIds.length)]));
  return fileIds.length;
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
  await Promise.all(present.map((formId) => deleteFormOf(app, formId)));
  if (present.length > 0) return { removed: { forms: present.length }, isComplete: false };
  const members = await app.table.page({ ...partitions.members(orgId), limit: STEP });
  await Promise.all(members.items.map(({ userId }) => removeFormerMember(app.table, orgId, String(userId))));
  if (members.items.length > 0) return { removed: { members: members.items.length }, isComplete: false };
  const [tree] = await app.table.read([keys.unitTree(orgId)]);
  const unitKeys = treeOf(tree).units.map(({ id }) => keys.unit(id));
  await app.table.remove(unitKeys);
  const items = await removeItems(app, { type: 'organization', id: orgId }, STEP);
  return { removed: { items: items + unitKeys.length }, isComplete: items < STEP };
}

/**
 * Removes some items in the partition of a resource, except for its deletion itself and the tally of a response, which
 * is removed as it is subtracted from the counters. Returns their number.
 */
async function removeItems(app: Ports, resource: Pick<DeletedResource, 'type' | 'id'>, limit: number): Promise<number> {
  const owner = ownerKey(resource);
  const kept = [keys.deletion(owner).sk, keys.tally(resource.id).sk];
  const { items } = await app.table.page({ ...partitions.itemsOf(owner), limit: limit + kept.length });
  const others: Key[] = items.filter(({ sk }) => !kept.includes(sk));
  await app.table.remove(others);
  return others.length;
}

async function removeObjects(app: Ports, prefixes: readonly string[]): Promise<{ count: number; isComplete: boolean }> {
  const counts = await Promise.all(prefixes.map((prefix) => app.bucket.removeSome(prefix)));
  return {
    count: counts.reduce((sum, count) => sum + count, 0),
    isComplete: counts.every((count) => count < OBJECTS),
  };
}
