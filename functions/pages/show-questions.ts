/** Shows all questions of a form by section. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { loadUndo, offeredUndo } from '#core/forms/undo.ts';
import { mayEditQuestions, renderQuestionsPage } from '#core/pages/builder/questions.ts';
import { undoOffer } from '#core/pages/builder/undo.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  authorPages.showQuestions,
  openDraft,
  async ({ app, gate, draft, stored, caller, context }) => {
    const { structure } = stored;
    const [head, kept] = await Promise.all([loadGateHead(app, gate), loadUndo(app.table, gate.formId, app.now())]);
    const offered = mayEditQuestions(gate) ? offeredUndo(structure, kept) : undefined;
    const undo = offered && undoOffer(context, gate.formId, offered, caller);
    return { html: renderQuestionsPage(context, head, { gate, draft, structure, undo, newId: app.uuid() }) };
  },
);
