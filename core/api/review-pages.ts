/** The pages of reviewers. */
import { declarePages, member } from './declare-pages.ts';

const memberOfView = { credential: 'user', target: 'view', roles: ['member'] } as const;
const memberOfResponse = { credential: 'user', target: 'response', roles: ['member'] } as const;
const deleter = { credential: 'user', target: 'response', roles: ['admin', 'creator'] } as const;
const exporter = { credential: 'user', target: 'export' } as const;
/** The title of a view and the ids of all its columns. */
const COLUMNS_BYTES = 65_536;

export const reviewPages = declarePages('reviewers', {
  showResponses: {
    method: 'GET',
    path: '/review/{formId}',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  showDrafts: {
    method: 'GET',
    path: '/review/{formId}/drafts',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  showStatistics: {
    method: 'GET',
    path: '/review/{formId}/statistics',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  chooseHighlight: {
    method: 'POST',
    path: '/review/{formId}/highlight',
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
  },
  showResponse: {
    method: 'GET',
    path: '/review/{formId}/r/{responseId}',
    access: memberOfResponse,
    needs: ['table:read', 'table:list'],
  },
  resend: {
    method: 'POST',
    path: '/review/{formId}/r/{responseId}/deliveries/{kind}',
    access: memberOfResponse,
    needs: ['table:read', 'table:write'],
  },
  confirmDeletion: {
    method: 'GET',
    path: '/review/{formId}/r/{responseId}/delete',
    access: deleter,
    needs: ['table:read'],
  },
  deleteResponse: {
    method: 'POST',
    path: '/review/{formId}/r/{responseId}/delete',
    access: deleter,
    needs: ['table:read', 'table:write', 'table:remove'],
  },
  showExports: {
    method: 'GET',
    path: '/review/{formId}/export',
    access: member,
    needs: ['table:read', 'table:list'],
  },
  requestExport: {
    method: 'POST',
    path: '/review/{formId}/export',
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  showExport: {
    method: 'GET',
    path: '/review/{formId}/export/{exportId}',
    access: exporter,
    needs: ['table:read'],
  },
  downloadExport: {
    method: 'GET',
    path: '/review/{formId}/export/{exportId}/file',
    access: exporter,
    needs: ['table:read', 'exports:read'],
  },
  showViews: { method: 'GET', path: '/review/{formId}/views', access: member, needs: ['table:read', 'table:list'] },
  createView: {
    method: 'POST',
    path: '/review/{formId}/views',
    creates: ['view'],
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  showView: {
    method: 'GET',
    path: '/review/{formId}/views/{viewId}',
    access: memberOfView,
    needs: ['table:read', 'table:list'],
  },
  changeView: {
    method: 'POST',
    path: '/review/{formId}/views/{viewId}',
    creates: ['copy of a view'],
    access: memberOfView,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
  },
  confirmViewDeletion: {
    method: 'GET',
    path: '/review/{formId}/views/{viewId}/delete',
    access: memberOfView,
    needs: ['table:read', 'table:list'],
  },
});
