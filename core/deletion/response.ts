/**
 * Deletes a response: one transaction removes it with the items of its files and queues its deletion, so that nothing of
 * it can be read or written any more. The worker removes the rest.
 */
import { MAX_WRITES } from '#core/db/batches.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import { problems } from '#core/problems/problems.ts';
import { rowAfter } from '#core/responses/deliveries.ts';
import { countFiles } from '#core/responses/files.ts';
import { fileIdsOf, type Response } from '#core/responses/model.ts';
import { loadResponses, removeResponse } from '#core/responses/store.ts';
import { queueDeletion } from './queue.ts';

/** The other writes of the transaction: the response, the number of files, the deletion, the row. */
const OTHER_WRITES = 4;

/** Deletes a response. Throws 404 when it is gone, 409 for a stale `If-Match`. */
export async function deleteResponse(
  app: ChangePorts,
  opened: Response,
  gate: Pick<Gate, 'spreadsheetId'>,
): Promise<void> {
  const fileIds = await untilWritten(async (first) => {
    const [response] = first ? [opened] : await loadResponses(app.table, [opened.id]);
    if (!response) throw problems.notFound();
    app.ifMatch(response.version);
    const files = fileIdsOf(response);
    await app.table.write([
      removeResponse(response),
      queueDeletion({ type: 'response', id: response.id, fileIds: files }, app.now()),
      ...(response.progress === 'SUBMITTED' ? rowAfter(gate, response.id, app.now()) : []),
      ...countFiles(response.userId, -files.length),
      ...files.slice(0, MAX_WRITES - OTHER_WRITES).map((fileId): Write => ({ remove: keys.file(fileId) })),
    ]);
    return files;
  });
  await app.table.remove(fileIds.slice(MAX_WRITES - OTHER_WRITES).map(keys.file));
}
