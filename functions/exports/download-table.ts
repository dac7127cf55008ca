/** Exports the submitted responses of a small form as XLSX. */
import { exportOperations } from '#core/api/exports.ts';
import { contentDisposition, fileName } from '#core/files/disposition.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { columnsOf } from '#core/review/table.ts';
import { smallWorkbook } from '#core/review/workbook.ts';

export const handler = operation(
  exportOperations.downloadTable,
  openStructure,
  async ({ gate: { title }, structure, body, app }) => {
    const columns = columnsOf(structure, body.questionIds);
    const bytes = await smallWorkbook(app, { title, structure, columns });
    const { contentType } = exportOperations.downloadTable.success;
    return { body: undefined, file: { bytes, contentType, disposition: contentDisposition(fileName(title)) } };
  },
);
