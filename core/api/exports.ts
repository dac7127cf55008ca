/** Operations that show and export the answers of a form as a table. */
import { TableInput, TablePreview } from '#core/review/table-model.ts';
import { PageQuery } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;
const unknownQuestion = 'There is no such form, or a question never belonged to it.';
const example = { body: { questionIds: ['7c9e6679-7425-8a1b-9c3d-0242ac120009'] } };

export const exportOperations = declare('exports', {
  previewTable: {
    method: 'POST',
    path: '/forms/{formId}/responses/export/preview',
    summary: 'Preview submitted responses as a table, oldest submission first',
    access: editors,
    needs: ['table:read', 'table:list'],
    query: PageQuery,
    body: TableInput,
    success: { status: 200, description: 'A page of the table.', body: TablePreview },
    problems: { 404: unknownQuestion },
    example,
  },
  downloadTable: {
    method: 'POST',
    path: '/forms/{formId}/responses/export/download',
    summary: 'Export submitted responses as XLSX',
    access: editors,
    needs: ['table:read', 'table:list'],
    body: TableInput,
    success: {
      status: 200,
      description: 'The workbook, named after the form.',
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
    problems: {
      404: unknownQuestion,
      413: 'The form has more than 1,000 submitted responses, or the file is too large for one HTTP response.',
    },
    // The workbook is built in memory.
    memoryMb: 1_024,
    timeoutSeconds: 29,
    example,
  },
});
