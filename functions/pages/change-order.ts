/**
 * Moves the questions whose place was changed (`do=save`), or shows them in the new order (`do=show`). What somebody else has
 * moved meanwhile stays where it is.
 */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { parseTypedOrder, renderOrderPage } from '#core/pages/builder/order.ts';
import { explainEdit, lockedText, questionsHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem } from '#core/problems/problems.ts';
import { orderQuestions } from '#core/structure/question-order.ts';
import type { Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeOrder,
  openDraft,
  async ({ app, gate, draft, stored, caller, posted, context }) => {
    const typed = parseTypedOrder(posted.fields);
    const render = async (structure: Structure, changes: object, status: number) => ({
      html: renderOrderPage(context, await loadGateHead(app, gate), { gate, draft, structure, ...changes }),
      status,
    });
    const refusal = lockedText(context, gate);
    if (refusal !== undefined) return render(stored.structure, { typed, refusal }, 409);
    if (typed.errors.size > 0) return render(stored.structure, { typed }, 400);
    try {
      if (posted.fields.get('do') !== 'save') {
        // Throws when the section of a place was deleted meanwhile, as saving would.
        orderQuestions(stored.structure, typed.places);
        return await render(stored.structure, { typed }, 200);
      }
      await editDraft(app, { gate, draft, caller }, (structure) => ({
        next: orderQuestions(structure, typed.places),
        body: undefined,
      }));
      const [first] = typed.places.keys();
      const anchor = first === undefined ? '' : `#q-${first}`;
      return { location: `${withDone(questionsHref(gate.formId), 'ordered')}${anchor}` };
    } catch (error) {
      if (!(error instanceof Problem) || (error.status !== 400 && error.status !== 413)) throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      // With 400, the section of a place was deleted meanwhile.
      const { refusal, status } = explainEdit(context, error, getQuestionsTexts(context).order.refused);
      return render(structure, { typed, refusal }, status);
    }
  },
);
