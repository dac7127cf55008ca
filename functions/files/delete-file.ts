/** Deletes a file; it also leaves its answer. */
import { files } from '#core/api/files.ts';
import { deleteFile } from '#core/files/delete.ts';
import { file } from '#core/files/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.deleteFile, file, async ({ user, file, roles, app }) => {
  await deleteFile(app, { user, file, roles });
  return { body: undefined };
});
