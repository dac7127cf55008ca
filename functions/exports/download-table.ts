/** Exports submitted responses as a file: directly if they are few, otherwise as a job. */
import { exportOperations } from '#core/api/exports.ts';
import { exportFileName, presentExport } from '#core/exports/model.ts';
import { FORMATS, toExportOptions } from '#core/exports/options.ts';
import { canExportDirectly, requestExport } from '#core/exports/service.ts';
import { requireWritable, writeSmallExport } from '#core/exports/write.ts';
import { contentDisposition } from '#core/files/download.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireFilter } from '#core/table/check-filter.ts';
import { requireColumns } from '#core/table/table.ts';
import { listViewColumns, loadViews, requireView } from '#core/views/views.ts';

export const handler = operation(
  exportOperations.downloadTable,
  openStructure,
  async ({ gate, structure, caller, body, app, prefers }) => {
    requireFilter(structure, body.filters ?? []);
    const options = toExportOptions(body);
    const { title, formId } = gate;
    const { questionIds, viewId = '' } = body;
    // Only an export of a view reads the views.
    const columns = questionIds
      ? requireColumns(structure, questionIds)
      : listViewColumns(structure, requireView(await loadViews(app.table, formId), viewId));
    const source = { title, structure, columns, options, publicUrl: app.config.publicUrl };
    requireWritable(source);
    const isDirect = !prefers('respond-async') && (await canExportDirectly(app, formId, options));
    const bytes = isDirect ? await writeSmallExport(app, source) : undefined;
    if (bytes) {
      const { format = 'XLSX' } = options;
      const disposition = contentDisposition(exportFileName(title, format));
      return { body: undefined, file: { bytes, contentType: FORMATS[format].contentType, disposition } };
    }
    const job = await requestExport(app, { gate, structure, columns, options, userId: caller.id });
    return {
      body: presentExport(job, app.now(), app.config.publicUrl),
      location: `/api/exports/${job.id}`,
      isAlternative: true as const,
    };
  },
);
