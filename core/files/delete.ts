/** Deletes one file and removes it from its answer. */
import type { Role } from '#core/access/access.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { removeFile } from '#core/responses/changes.ts';
import type { StoredFile } from '#core/responses/files.ts';
import { changeResponse, reopenResponse } from '#core/responses/service.ts';

/**
 * Deletes a file. Admins may do so at any time; the uploader only while the form is open and the response can be
 * edited, and a submitted response must stay complete. Throws like `changeResponse`.
 */
export async function deleteFile(app: ChangePorts, file: StoredFile, roles: readonly Role[]): Promise<void> {
  const opened = await reopenResponse(app.table, file.responseId);
  await changeResponse(
    app,
    opened,
    ({ response }, now) => removeFile(response, file.id, now),
    () => undefined,
    { administrator: roles.includes('admin') },
  );
}
