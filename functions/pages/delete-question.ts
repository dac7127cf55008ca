/** Deletes a question. The list is shown at its section. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { page } from '#core/pages/shell/page.ts';
import { deleteQuestion } from '#core/structure/questions.ts';
import { findQuestion } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.deleteQuestion,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId } }) => {
    const list = questionsHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: list };
    const now = app.now().toISOString();
    await editDraft(app, { gate, draft, caller }, (structure, answered) => {
      // The second press of the button finds nothing to delete.
      const sectionId = findQuestion(structure, questionId)?.section.id;
      const edit = sectionId && { sectionId, questionId, now };
      return { next: edit ? deleteQuestion(structure, answered, edit) : structure, body: undefined };
    });
    const section = findQuestion(stored.structure, questionId)?.section;
    return { location: `${withDone(list, 'questionDeleted')}${section ? `#s-${section.id}` : ''}` };
  },
);
