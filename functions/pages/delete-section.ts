/** Deletes a section with its questions; the path leads past it. */
import { authorPages } from '#core/api/pages.ts';
import { openWholeEdit } from '#core/forms/open.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { page } from '#core/pages/shell/page.ts';
import { editStructure } from '#core/structure/service.ts';
import { findSection } from '#core/structure/structure.ts';
import { removeSection } from '#core/structure/workflow-edits.ts';

export const handler = page(
  authorPages.deleteSection,
  openWholeEdit,
  async ({ app, gate, stored, params: { sectionId } }) => {
    const list = questionsHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: list };
    const now = app.now().toISOString();
    await editStructure(app, stored, (structure, answered) => ({
      // The second press of the button finds nothing to delete.
      structure: findSection(structure, sectionId) ? removeSection(structure, answered, sectionId, now) : structure,
      body: undefined,
    }));
    return { location: withDone(list, 'sectionDeleted') };
  },
);
