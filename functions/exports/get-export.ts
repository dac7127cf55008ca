/** Returns an export with its progress. */
import { exportOperations } from '#core/api/exports.ts';
import { operation } from '#core/http/operation.ts';
import { showExport } from '#core/review/export-model.ts';
import { openExport } from '#core/review/export-open.ts';

export const handler = operation(exportOperations.getExport, openExport, async ({ job, app }) => ({
  body: showExport(job, app.now(), app.config.publicUrl),
}));
