/** Deletes an unlocked view. */
import { views as declared } from '#core/api/views.ts';
import { operation } from '#core/http/operation.ts';
import { editViews, openViews, removeView } from '#core/views/views.ts';

export const handler = operation(declared.deleteView, openViews, async ({ views, params, app }) =>
  editViews(app, views, (current) => ({ next: removeView(current, params.viewId), body: undefined })),
);
