/**
 * Deleting responses with all that belongs to them: answers, files, uploads that were never attached (contract section
 * 9, "Delete means gone"). A response is marked first, so that nobody knows it any more, and removed last, so that a
 * deletion which was interrupted can be asked for again and runs to its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { objectsOf } from '#core/db/objects.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { removeFile, removeUpload, uploadIdsOf } from '#core/files/store.ts';
import type { App } from '#core/http/app.ts';
import { fileIdsOf, type Response } from '#core/responses/model.ts';
import { loadStoredResponses, removeResponse, replaceResponse, someResponseIds } from '#core/responses/store.ts';

/** Deletes a response. Throws 409 when the caller's `If-Match` names another version; one that is gone is fine. */
export async function deleteResponse(app: App, response: Response, ifMatch: (version: number) => void): Promise<void> {
  const marked = response.deleting ? response : await mark(app, response, ifMatch);
  if (!marked) return;
  await Promise.all(objectsOf.response(marked.id).map(app.bucket.removeAll));
  await writeInBatches(app, [...(await leavings(app, marked)), removeResponse(marked.id)]);
  // Notes of uploads that came while the others were looked up; none can come any more.
  const late = await uploadIdsOf(app.table, marked.id);
  await writeInBatches(
    app,
    late.map((fileId) => removeUpload(marked.id, fileId)),
  );
}

/**
 * The response as it is marked; undefined when somebody else came to the end of it meanwhile. Its files can be found
 * by themselves, so they go with the mark, as many as one write takes.
 */
const mark = (app: App, response: Response, ifMatch: (version: number) => void): Promise<Response | undefined> =>
  untilWritten(async (first) => {
    const [current] = first ? [response] : await loadStoredResponses(app.table, [response.id]);
    if (!current || current.deleting) return current;
    ifMatch(current.version);
    const marked: Response = { ...current, deleting: true, version: current.version + 1 };
    await app.table.write([
      replaceResponse(marked),
      ...fileIdsOf(marked)
        .slice(0, BATCH - 1)
        .map(removeFile),
    ]);
    return marked;
  });

/** The writes that remove what is kept in the table beside a response. */
async function leavings(app: App, response: Response): Promise<Write[]> {
  const uploads = await uploadIdsOf(app.table, response.id);
  return [...fileIdsOf(response).map(removeFile), ...uploads.map((fileId) => removeUpload(response.id, fileId))];
}

/** Removes every response of a form that is marked, but for the bytes of files, which go with the form. */
export async function deleteResponsesOf(app: App, formId: string): Promise<void> {
  for (;;) {
    const ids = await someResponseIds(app.table, formId);
    if (ids.length === 0) return;
    const removed = await untilWritten(() => deleteSome(app, ids));
    // An index lags: it may still name what is gone.
    if (removed === 0) await sleep(LAG_MS);
  }
}

const LAG_MS = 100;

/**
 * Removes some responses with what is kept beside them. A request that began before the form was marked may still
 * write to one of them: then that write is refused or this one, which sees the files that came and takes them along.
 * Answers how many there were.
 */
async function deleteSome(app: App, ids: readonly string[]): Promise<number> {
  const responses = await loadStoredResponses(app.table, ids);
  const beside = await Promise.all(responses.map((response) => leavings(app, response)));
  await writeInBatches(app, beside.flat());
  await app.table.write(responses.map(({ id, version }) => ({ ...removeResponse(id), when: { equals: { version } } })));
  return responses.length;
}

/** The most items of one write. */
const BATCH = 100;

/** Writes that need not happen together, in their order. */
async function writeInBatches(app: App, writes: readonly Write[]): Promise<void> {
  for (let index = 0; index < writes.length; index += BATCH) await app.table.write(writes.slice(index, index + BATCH));
}
