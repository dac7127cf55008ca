/** Creates a view and shows the table with it. */
import { reviewPages } from '#core/api/review-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { explainView, isValidTitle, parseTypedView, type ViewErrors } from '#core/pages/review/view-fields.ts';
import { renderViewsPage } from '#core/pages/review/views.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getReviewTexts } from '#core/pages/text/review.ts';
import { Problem } from '#core/problems/problems.ts';
import { findFreeTitle } from '#core/views/model.ts';
import { addView, editViews, openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.createView,
  openViews,
  async ({ app, gate, structure, views: opened, caller, posted, context }) => {
    const typed = parseTypedView(posted.fields, structure);
    const { title, columns } = typed;
    const { untitled } = getReviewTexts(context).edit;
    const newId = readNewId(posted.fields, caller, app);
    const created = { id: idWithin(gate.formId, newId.derive(typed)), now: context.now.toISOString() };
    const render = async ({ errors, status }: { errors: ViewErrors; status: 400 | 413 }) => {
      const head = await loadGateHead(app, gate);
      const { views } = opened;
      return {
        html: renderViewsPage(context, head, { gate, structure, views, newId: newId.field, typed, errors }),
        status,
      };
    };
    if (title !== '' && !isValidTitle(title)) return render({ errors: { title: 'titleInvalid' }, status: 400 });
    try {
      await editViews(app, opened, (current) => {
        // The second press of the button finds what the first one has created.
        if (current.views.some(({ id }) => id === created.id)) return { next: current, body: undefined };
        const input = { title: title === '' ? findFreeTitle(current.views, untitled) : title, columns };
        return { next: addView(current, input, structure, created), body: undefined };
      });
      return { location: `/review/${gate.formId}?view=${created.id}` };
    } catch (error) {
      const refused = error instanceof Problem ? explainView(error) : undefined;
      if (!refused) throw error;
      return render(refused);
    }
  },
);
