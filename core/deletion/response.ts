/**
 * Deletes responses with everything that belongs to them. A response is marked first, so that it is visible to nobody,
 * and removed last, so that repeating the request completes an interrupted deletion. Scheduled clean-ups are kept: they
 * remove objects that a late upload writes after the deletion.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WRITES, writeInBatches } from '#core/db/batches.ts';
import type { Key } from '#core/db/keys.ts';
import { keys, partitions } from '#core/db/keys.ts';
import { objectsOf } from '#core/db/objects.ts';
import { pagesOf } from '#core/db/pages.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table, Write } from '#core/db/table.ts';
import { countFiles } from '#core/responses/files.ts';
import { fileIdsOf, type Response } from '#core/responses/model.ts';
import { loadStoredResponses, removeResponse, replaceResponse, someResponseIds } from '#core/responses/store.ts';

/** Deletes a response; does nothing if it is already deleted. Throws 409 for a stale `If-Match`. */
export async function deleteResponse(app: ChangePorts, response: Response): Promise<void> {
  const marked = response.deleting ? response : await mark(app, response);
  if (!marked) return;
  await Promise.all(objectsOf.response(marked.id).map(app.bucket.removeAll));
  await writeInBatches(app.table, await itemsBeside(app.table, marked));
  await app.table.write([removeResponse(marked.id)]);
}

/**
 * Marks a response and removes up to 98 of its file items in the same write. Returns the marked response, undefined
 * when it is already deleted.
 */
const mark = (app: ChangePorts, response: Response): Promise<Response | undefined> =>
  untilWritten(async (first) => {
    const [current] = first ? [response] : await loadStoredResponses(app.table, [response.id]);
    if (!current || current.deleting) return current;
    app.ifMatch(current.version);
    const marked: Response = { ...current, deleting: true, version: current.version + 1 };
    const fileIds = fileIdsOf(marked);
    await app.table.write([
      replaceResponse(marked),
      ...countFiles(marked.userId, -fileIds.length),
      ...fileIds.slice(0, MAX_WRITES - 2).map((fileId): Write => ({ remove: keys.file(fileId) })),
    ]);
    return marked;
  });

/** The writes that remove the file items and announced uploads of a response. */
async function itemsBeside(table: Table, response: Response): Promise<Write[]> {
  const beside: Key[] = fileIdsOf(response).map(keys.file);
  for await (const items of pagesOf(table, { ...partitions.uploadsOf(response.id), limit: 100 })) beside.push(...items);
  return beside.map(({ pk, sk }) => ({ remove: { pk, sk } }));
}

/** Deletes all responses of a form that is marked. Objects of files are not removed here but with the form. */
export async function deleteResponsesOf(app: Ports, formId: string): Promise<void> {
  for (;;) {
    const ids = await someResponseIds(app.table, formId, MAX_WRITES / 2);
    if (ids.length === 0) return;
    const removed = await untilWritten(() => deleteSome(app, ids));
    // An index lags: it may still contain what is gone.
    if (removed === 0) await sleep(INDEX_LAG_MS);
  }
}

const INDEX_LAG_MS = 100;

/**
 * Deletes some responses and returns how many existed. A request that began before the form was marked may still change
 * one of them; its write and the conditional removal exclude each other, and the loser is refused.
 */
async function deleteSome(app: Ports, ids: readonly string[]): Promise<number> {
  const responses = await loadStoredResponses(app.table, ids);
  const beside = await Promise.all(responses.map((response) => itemsBeside(app.table, response)));
  await writeInBatches(app.table, beside.flat());
  const owners = Map.groupBy(
    responses.filter(({ deleting }) => !deleting),
    ({ userId }) => userId,
  );
  const counts = [...owners].flatMap(([userId, own]) =>
    countFiles(userId, -own.reduce((sum, response) => sum + fileIdsOf(response).length, 0)),
  );
  const removals = responses.map(
    ({ id, version }): Write => ({ ...removeResponse(id), when: { equals: { version } } }),
  );
  await app.table.write([...removals, ...counts]);
  return responses.length;
}
