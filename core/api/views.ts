/** Operations of views, and what they filter by (contract section 9). */
import * as z from 'zod';
import { DistinctAnswers, FilterInput } from '#core/review/filter-model.ts';
import { ViewInput, ViewPatch, ViewShown } from '#core/review/view-model.ts';
import { schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Views = schema(() => z.array(ViewShown()));
const ofForm = { credential: 'user', target: 'form', roles: ['member'] } as const;
const ofView = { credential: 'user', target: 'view', roles: ['member'] } as const;
const shown = { status: 200, description: 'The view as it is now.', body: ViewShown, etag: true } as const;

export const views = declare('views', {
  createView: {
    method: 'POST',
    path: '/forms/{formId}/views',
    summary: 'Create a view; by default with a free title and all questions',
    access: ofForm,
    needs: ['table:read', 'table:write'],
    body: ViewInput,
    bodyOptional: true,
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The view, the last in order.', body: ViewShown, etag: true },
    problems: {
      409: 'The title that was given is in use, `If-Match` is stale, or the Idempotency-Key was used otherwise.',
    },
    example: { body: { title: 'For the board' } },
  },
  listViews: {
    method: 'GET',
    path: '/forms/{formId}/views',
    summary: 'List the views of a form',
    access: ofForm,
    needs: ['table:read'],
    success: { status: 200, description: 'The views in order.', body: Views, etag: true },
  },
  getView: {
    method: 'GET',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Get a view',
    access: ofView,
    needs: ['table:read'],
    success: { ...shown, description: 'The view.' },
  },
  updateView: {
    method: 'PATCH',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Change the title, the columns or the place of a view',
    access: ofView,
    needs: ['table:read', 'table:write'],
    body: ViewPatch,
    ifMatch: true,
    success: shown,
    problems: { 409: 'Another view has the title, or `If-Match` is stale.' },
    example: { body: { title: 'For the board', order: 0 } },
  },
  deleteView: {
    method: 'DELETE',
    path: '/forms/{formId}/views/{viewId}',
    summary: 'Delete an unlocked view',
    access: ofView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The view is gone; those behind it move up.' },
    problems: { 409: 'The view is locked, or `If-Match` is stale.' },
  },
  lockView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/lock',
    summary: 'Lock a view, so that it cannot be deleted',
    access: ofView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: shown,
  },
  unlockView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/unlock',
    summary: 'Unlock a view',
    access: ofView,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: shown,
  },
  duplicateView: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/duplicate',
    summary: 'Duplicate a view; the copy stands right after it, unlocked',
    access: ofView,
    needs: ['table:read', 'table:write'],
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The copy.', body: ViewShown, etag: true },
  },
  listDistinctAnswers: {
    method: 'POST',
    path: '/forms/{formId}/views/{viewId}/questions/{questionId}/filters',
    summary: 'List the distinct answers to a question, to filter a view by',
    description: 'Over submitted responses that match the filters of the other questions; at most 1,000 values.',
    access: ofView,
    needs: ['table:read', 'table:list'],
    body: FilterInput,
    success: { status: 200, description: 'The values, sorted as they are displayed.', body: DistinctAnswers },
    problems: { 404: 'There is no such form, view or question, or a filter names none.' },
    example: { body: { filters: [] } },
  },
});
