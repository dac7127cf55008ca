/** Shows what follows each section of a form, in words and drawn; `around`: the node around which a large form is drawn. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { loadUndo, offeredUndo } from '#core/forms/undo.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { drawRules } from '#core/pages/builder/rule-drawing.ts';
import { renderRulesPage } from '#core/pages/builder/rules.ts';
import { undoOffer } from '#core/pages/builder/undo.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  authorPages.showRules,
  openDraft,
  async ({ app, gate, draft, stored, caller, query, context }) => {
    const { structure } = stored;
    const [head, drawing, kept] = await Promise.all([
      loadGateHead(app, gate),
      drawRules(context, structure, query.get('around') ?? undefined),
      loadUndo(app.table, gate.formId, app.now()),
    ]);
    const offered = mayEditQuestions(gate) && kept?.kind === 'RULE' ? offeredUndo(structure, kept) : undefined;
    const undo = offered && undoOffer(context, gate.formId, offered, caller);
    return { html: renderRulesPage(context, head, { gate, draft, structure, drawing, undo }) };
  },
);
