/** Changes a view: its title and columns (`do=save`), its place, its lock; copies or deletes it. */
import { reviewPages } from '#core/api/review-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { withDone } from '#core/pages/review/header.ts';
import {
  changeViews,
  explainView,
  hashView,
  isValidTitle,
  listOverwritten,
  parseTypedView,
  saveTypedView,
} from '#core/pages/review/view-fields.ts';
import { renderViewPage, type ViewPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import type { Views } from '#core/views/model.ts';
import { editViews, loadViews, openViews, requireView } from '#core/views/views.ts';

export const handler = page(
  reviewPages.changeView,
  openViews,
  async ({ app, gate, structure, views, caller, params: { viewId }, posted: { fields }, context }) => {
    const action = fields.get('do') ?? 'save';
    const now = context.now.toISOString();
    const list = `/review/${gate.formId}/views`;
    const save = async (edit: (current: Views) => Views): Promise<void> => {
      await editViews(app, views, (current) => ({ next: edit(current), body: undefined }));
    };
    if (action !== 'save') {
      const original = requireView(views, viewId);
      const newId = idWithin(gate.formId, readNewId(fields, caller, app).derive([action, original]));
      const change = { viewId, action, newId, now, copyOf: getReviewTexts(context).edit.copyOf };
      await save((current) =>
        // The second press of the button finds what the first one has created.
        current.views.some(({ id }) => id === newId) ? current : changeViews(current, structure, change),
      );
      if (action === 'delete') return { location: withDone(list, 'viewDeleted') };
      return { location: withDone(action === 'duplicate' ? list : `${list}/${viewId}`, 'saved') };
    }
    const typed = parseTypedView(fields, structure);
    const render = async (current: Views, { status, ...changes }: Partial<ViewPage> & { status: number }) => {
      const data = {
        views: current.views,
        current: requireView(current, viewId),
        newId: app.uuid(),
        typed,
        seen: fields.get('hash'),
      };
      const head = await loadGateHead(app, gate);
      return { html: renderViewPage(context, head, { gate, structure, ...data, ...changes }), status };
    };
    if (!isValidTitle(typed.title)) return render(views, { errors: { title: 'titleInvalid' }, status: 400 });
    return saveTyped({
      fields,
      contentHash: (current: Views) => hashView(requireView(current, viewId)),
      listOverwritten: (current: Views) => listOverwritten(context, structure, requireView(current, viewId), typed),
      reload: () => loadViews(app.table, gate.formId),
      render,
      explain: explainView,
      save: async (requireSeen) => {
        await save((current) => {
          const next = saveTypedView(current, structure, { viewId, typed, now });
          requireSeen(current, next);
          return next;
        });
        return withDone(`${list}/${viewId}`, 'saved');
      },
    });
  },
);
