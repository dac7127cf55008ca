/** Undoes the deletion or move that the field `undo` names; a second press finds it undone. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraft } from '#core/forms/draft.ts';
import { loadUndo, undoLastEdit } from '#core/forms/undo.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { renderUndoRefusedPage } from '#core/pages/builder/undo.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(authorPages.undoEdit, openDraft, async ({ app, gate, draft, caller, posted, context }) => {
  const list = questionsHref(gate.formId);
  if (!mayEditQuestions(gate)) return { location: list };
  const loaded = await loadUndo(app.table, gate.formId, app.now());
  const id = posted.fields.get('undo') ?? '';
  const result = await undoLastEdit(app, { gate, draft, caller }, { id, loaded });
  if (result.outcome === 'refused') {
    return { html: renderUndoRefusedPage(context, await loadGateHead(app, gate), result, caller), status: 409 };
  }
  if (result.outcome === 'gone') return { location: withDone(list, 'nothingToUndo') };
  if (result.undo.kind === 'RULE') return { location: withDone(rulesHref(gate.formId), 'undone') };
  const [section] = result.undo.sections;
  const [question] = result.undo.questions;
  // A move changes the order of a section, or what leads to one.
  const linked = result.undo.nodes.find(({ before }) => before?.type === 'SECTION')?.id;
  const sectionId = section?.id ?? result.undo.orders[0]?.sectionId ?? linked;
  const anchor = question && !section ? `#q-${question.id}` : sectionId === undefined ? '' : `#s-${sectionId}`;
  const done = result.takenNames.length > 0 ? 'undoneUnnamed' : 'undone';
  return { location: `${withDone(list, done)}${anchor}` };
});
