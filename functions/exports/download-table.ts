/** Exports the submitted responses of a form as XLSX: directly if they are few, otherwise as a job. */
import { exportOperations } from '#core/api/exports.ts';
import { contentDisposition, fileName } from '#core/files/disposition.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { showExport } from '#core/review/export-model.ts';
import { isSmall, requestExport } from '#core/review/export-service.ts';
import { columnsOf } from '#core/review/table.ts';
import { smallWorkbook } from '#core/review/workbook.ts';

export const handler = operation(
  exportOperations.downloadTable,
  openStructure,
  async ({ gate, structure, caller, body, app, prefers }) => {
    const columns = columnsOf(structure, body.questionIds);
    const { title, formId } = gate;
    const isDirect = !prefers('respond-async') && (await isSmall(app, formId));
    const bytes = isDirect ? await smallWorkbook(app, { title, structure, columns }) : undefined;
    if (bytes) {
      const { contentType } = exportOperations.downloadTable.success;
      return { body: undefined, file: { bytes, contentType, disposition: contentDisposition(fileName(title)) } };
    }
    const job = await requestExport(app, { gate, structure, columns, userId: caller.id });
    return {
      body: showExport(job, app.now(), app.config.publicUrl),
      location: `/api/exports/${job.id}`,
      other: true as const,
    };
  },
);
