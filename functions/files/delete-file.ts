/** Deletes a file and removes it from its answer. */
import { files } from '#core/api/files.ts';
import { deleteFile, openFile } from '#core/files/files.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.deleteFile, openFile, async ({ file, roles, app }) => {
  await deleteFile(app, file, roles);
  return { body: undefined };
});
