/** Operations of views, and the values by which they can be filtered. */
import * as z from 'zod';
import { ListQuery, schema } from '#core/schema/schema.ts';
import { DistinctAnswers, FilterInput } from '#core/table/model.ts';
import { ViewDocument, ViewInput, ViewPatch } from '#core/views/model.ts';
import { declare } from './declare.ts';

const Views = schema(() => z.array(ViewDocument()));
const CursorQuery = schema(() => ListQuery().pick({ cursor: true }));
const memberOfForm = { credential: 'user', target: 'form', roles: ['member'] } as const;
const memberOfView = { credential: 'user', target: 'view', roles: ['member'] } as const;
const updatedView = { status: 200, description: 'The updated view.', body: ViewDocument, etag: true } as const;

export const views = declare('views', {
  createView: {
    method: 'POST',
    path: '/forms/{formId}/views',
    summary: 'Create a view; by default with a generated title and all questions',
    access: memberOfForm,
    needs: ['table:read', 'table:write'],
    body: ViewInput,
    bodyOptional: true,
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The view; it is the last in order.', body: ViewDocument, etag: true },
    problems: {
      409: 'The title is in use, `If-Match` is stale, or the `Idempotency-Key` was used with another request.',
    },
  },
  listViews: {
    method: 'GET',
    path: '/forms/{formId}/views',
    summary: 'List the views of a form',
    access: memberOfForm,
    needs: ['table:read'],
    success: { status: 200, description: 'The views in order.', body: Views, etag: true },
  },
  getView: {
    method: 'GET',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Get a view',
    access: memberOfView,
    needs: ['table:read'],
    success: { ...updatedView, description: 'The view.' },
  },
  updateView: {
    method: 'PATCH',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Change the title, the columns or the order of a view',
    access: memberOfView,
    needs: ['table:read', 'table:write'],
    body: ViewPatch,
    ifMatch: true,
    success: updatedView,
    problems: { 409: 'Another view has the title, or `If-Match` is stale.' },
  },
  deleteView: {
    method: 'DELETE',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Delete an unlocked view',
    access: memberOfView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The view is deleted; the views after it move up.' },
    problems: { 409: 'The view is locked, or `If-Match` is stale.' },
  },
  lockView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/lock',
    summary: 'Lock a view to prevent its deletion',
    access: memberOfView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: updatedView,
  },
  unlockView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/unlock',
    summary: 'Unlock a view',
    access: memberOfView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: updatedView,
  },
  duplicateView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/duplicate',
    summary: 'Duplicate a view; the unlocked copy follows it',
    access: memberOfView,
    needs: ['table:read', 'table:write'],
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The copy.', body: ViewDocument, etag: true },
  },
  listDistinctAnswers: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/questions/{questionId}/filters',
    summary: 'List the distinct answers to a question, to filter a view by',
    description:
      'Considers submitted responses that match the filters of the other questions. A page covers at most 1,000 responses.',
    access: memberOfView,
    needs: ['table:read', 'table:list'],
    query: CursorQuery,
    body: FilterInput,
    success: { status: 200, description: 'A page of values, sorted by `displayValue`.', body: DistinctAnswers },
    problems: { 404: 'There is no such form, view or question, or a filter names an unknown question.' },
  },
});
