/** Exports submitted responses of a small form as XLSX. */

import { exports_ } from '#core/api/exports.ts';
import { contentDisposition, fileName } from '#core/exports/disposition.ts';
import { columnsOf } from '#core/exports/table.ts';
import { smallWorkbook } from '#core/exports/workbook.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(exports_.downloadTable, formWithStructure, async ({ form, stored, body, app }) => {
  const columns = columnsOf(stored.structure, body.questionIds);
  const bytes = await smallWorkbook(app, { title: form.title, structure: stored.structure, columns });
  const disposition = contentDisposition(fileName(form.title));
  return { body: undefined, file: { bytes, contentType: exports_.downloadTable.success.contentType, disposition } };
});
