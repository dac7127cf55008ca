/** Exports the submitted responses of a form as XLSX: directly if they are few, otherwise as a job. */
import { exportOperations } from '#core/api/exports.ts';
import { exportFileName, presentExport } from '#core/exports/model.ts';
import { canExportDirectly, requestExport } from '#core/exports/service.ts';
import { writeSmallWorkbook } from '#core/exports/workbook.ts';
import { contentDisposition } from '#core/files/download.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireColumns } from '#core/table/table.ts';

export const handler = operation(
  exportOperations.downloadTable,
  openStructure,
  async ({ gate, structure, caller, body, app, prefers }) => {
    const columns = requireColumns(structure, body.questionIds);
    const { title, formId } = gate;
    const isDirect = !prefers('respond-async') && (await canExportDirectly(app, formId));
    const bytes = isDirect ? await writeSmallWorkbook(app, { title, structure, columns }) : undefined;
    if (bytes) {
      const { contentType } = exportOperations.downloadTable.success;
      return { body: undefined, file: { bytes, contentType, disposition: contentDisposition(exportFileName(title)) } };
    }
    const job = await requestExport(app, { gate, structure, columns, userId: caller.id });
    return {
      body: presentExport(job, app.now(), app.config.publicUrl),
      location: `/api/exports/${job.id}`,
      isAlternative: true as const,
    };
  },
);
