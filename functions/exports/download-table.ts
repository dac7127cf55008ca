/** Exports submitted responses of a small form as XLSX. */

import { exportOperations } from '#core/api/exports.ts';
import { contentDisposition, fileName } from '#core/files/disposition.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { columnsOf } from '#core/review/table.ts';
import { smallWorkbook } from '#core/review/workbook.ts';

export const handler = operation(
  exportOperations.downloadTable,
  formWithStructure,
  async ({ form, stored, body, app }) => {
    const columns = columnsOf(stored.structure, body.questionIds);
    const bytes = await smallWorkbook(app, { title: form.title, structure: stored.structure, columns });
    const disposition = contentDisposition(fileName(form.title));
    return {
      body: undefined,
      file: { bytes, contentType: exportOperations.downloadTable.success.contentType, disposition },
    };
  },
);
