/** Redirects to where the bytes of a file can be had for a minute, as an attachment of its stored type. */
import { files } from '#core/api/files.ts';
import { downloadUrl } from '#core/files/download.ts';
import { file } from '#core/files/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.downloadFile, file, async ({ file, app }) => ({
  body: undefined,
  location: await downloadUrl(app, file),
}));
