/** Redirects to the file of an export; with `Accept: application/json`, returns its URL, for pages of other origins. */
import { exportOperations } from '#core/api/exports.ts';
import { openExport, signExportDownload } from '#core/exports/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(exportOperations.downloadExport, openExport, async ({ job, accepts, app }) => {
  const download = await signExportDownload(app, job);
  if (accepts('application/json')) return { body: download, isAlternative: true as const };
  return { body: undefined, location: download.url };
});
