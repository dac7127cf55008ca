/** Redirects to a file in storage; with `Accept: application/json`, returns its URL, for pages of other origins. */
import { files } from '#core/api/files.ts';
import { downloadUrl } from '#core/files/download.ts';
import { openFile } from '#core/files/files.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.downloadFile, openFile, async ({ file, accepts, app }) => {
  const download = await downloadUrl(app, file);
  if (accepts('application/json')) return { body: download, isAlternative: true as const };
  return { body: undefined, location: download.url };
});
