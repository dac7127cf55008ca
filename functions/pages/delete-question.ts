/** Deletes a question. */
import { authorPages } from '#core/api/pages.ts';
import { openWholeEdit } from '#core/forms/open.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { page } from '#core/pages/shell/page.ts';
import { deleteQuestion } from '#core/structure/questions.ts';
import { editStructure } from '#core/structure/service.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.deleteQuestion,
  openWholeEdit,
  async ({ app, gate, stored, params: { questionId } }) => {
    const list = questionsHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: list };
    const now = app.now().toISOString();
    await editStructure(app, stored, (structure, answered) => {
      // The second press of the button finds nothing to delete.
      const sectionId = findQuestion(structure, questionId)?.section.id;
      return {
        structure: sectionId ? deleteQuestion(structure, answered, { sectionId, questionId, now }) : structure,
        body: undefined,
      };
    });
    return { location: withDone(list, 'questionDeleted') };
  },
);
