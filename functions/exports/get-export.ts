/** Returns an export with its progress. */
import { exportOperations } from '#core/api/exports.ts';
import { presentExport } from '#core/exports/model.ts';
import { openExport } from '#core/exports/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(exportOperations.getExport, openExport, async ({ job, app }) => ({
  body: presentExport(job, app.now(), app.config.publicUrl),
}));
