/** Deletes a section with its questions; the path leads past it. The list is shown at the section before it. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { page } from '#core/pages/shell/page.ts';
import { displayOrder } from '#core/structure/path.ts';
import { findSection } from '#core/structure/structure.ts';
import { removeNode } from '#core/structure/workflow-edits.ts';

export const handler = page(
  authorPages.deleteSection,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { sectionId } }) => {
    const list = questionsHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: list };
    const now = app.now().toISOString();
    await editDraft(app, { gate, draft, caller }, (structure, answered) => ({
      // The second press of the button finds nothing to delete.
      next: findSection(structure, sectionId) ? removeNode(structure, answered, sectionId, now) : structure,
      body: undefined,
    }));
    const order = displayOrder(stored.structure);
    const index = order.indexOf(sectionId);
    const neighbour = index === -1 ? undefined : (order[index - 1] ?? order[index + 1]);
    return { location: `${withDone(list, 'sectionDeleted')}${neighbour === undefined ? '' : `#s-${neighbour}`}` };
  },
);
