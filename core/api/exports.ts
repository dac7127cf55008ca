/** Operations that show and export the answers of a form as a table. */

import { ExportDocument, ExportList } from '#core/exports/model.ts';
import { ExportInput, FORMATS } from '#core/exports/options.ts';
import { Download } from '#core/files/model.ts';
import { ListQuery } from '#core/schema/schema.ts';
import { TableInput, TablePreview } from '#core/table/model.ts';
import { declare } from './declare.ts';

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;
// Visible to its requester while they are a member, and to admins.
const requester = { credential: 'user', target: 'export' } as const;
const unknownQuestion = 'There is no such form, or a question never belonged to it.';
export const exportOperations = declare('exports', {
  previewTable: {
    method: 'POST',
    path: '/forms/{formId}/responses/export/preview',
    summary: 'Preview submitted responses as a table, oldest submission first',
    access: editors,
    needs: ['table:read', 'table:list'],
    query: ListQuery,
    body: TableInput,
    success: { status: 200, description: 'A page of the table.', body: TablePreview },
    problems: { 404: unknownQuestion },
  },
  downloadTable: {
    method: 'POST',
    path: '/forms/{formId}/responses/export/download',
    summary: 'Export submitted responses as XLSX, CSV or JSON, or their files as ZIP',
    description:
      'All submitted responses, those that match a filter, or some selected ones; oldest submission first. A form with at most 1,000 submitted responses, whose file is small enough for one HTTP response and takes less than 20 seconds, returns the file. Otherwise, or with `Prefer: respond-async`, an export job is queued. The same request of the same user within 24 hours returns the same job, unless the form or a submitted response has changed since.',
    access: editors,
    needs: ['table:read', 'table:list', 'table:write'],
    body: ExportInput,
    success: {
      status: 200,
      description: 'The file, named after the form.',
      contentType: FORMATS.XLSX.contentType,
      otherContentTypes: [FORMATS.CSV.contentType, FORMATS.JSON.contentType],
    },
    otherSuccess: {
      status: 202,
      description: 'The queued job; `Location` is its address. Read it until it is DONE, then follow `downloadUrl`.',
      body: ExportDocument,
    },
    problems: { 404: unknownQuestion, 413: 'The form has more than 1,000,000 submitted responses.' },
    // The file is built in memory.
    memoryMb: 1_024,
    timeoutSeconds: 29,
  },
  listExports: {
    method: 'GET',
    path: '/forms/{formId}/exports',
    summary: 'List the exports of a form',
    description: 'Admins of the organization get all exports of the last 30 days, other members their own.',
    access: editors,
    needs: ['table:read', 'table:list'],
    query: ListQuery,
    success: { status: 200, description: 'A page of exports, newest first.', body: ExportList },
  },
  getExport: {
    method: 'GET',
    path: '/exports/{exportId}',
    summary: 'Get an export with its progress',
    access: requester,
    needs: ['table:read'],
    success: { status: 200, description: 'The export.', body: ExportDocument },
  },
  downloadExport: {
    method: 'GET',
    path: '/exports/{exportId}/download',
    summary: 'Download the file of an export',
    description:
      'Redirects to storage, where the file is available for one minute. With `Accept: application/json` the URL is returned instead, for pages of other origins. The file is kept for 7 days after the request.',
    access: requester,
    needs: ['table:read', 'exports:read'],
    head: true,
    success: { status: 302, description: 'The file in storage.' },
    otherSuccess: { status: 200, description: 'The URL of the file.', body: Download },
    problems: { 400: 'The export is not finished, failed, or its file has expired.' },
  },
});
