/** Says what is lost with a question, before it is deleted. Deletes a question. The list is shown at its section. */
import { countAnswers, withEntries } from '#core/counts/lost-answers.ts';
import { editForm, openEditedForm } from '#core/forms/edited.ts';
import { requireFound } from '#core/problems/problems.ts';
import { deleteQuestion } from '#core/structure/questions.ts';
import { findQuestion, type PlacedQuestion } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import type { Html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { withDone } from './frame.ts';
import { listDependents, mayEditQuestions, questionHref, questionsHref } from './questions.ts';
import { answersTo, type Deleted, lostRules, removalPage } from './removal.ts';

const openDraftEntries = withEntries(openEditedForm);

export const page = definePage({
  name: 'deleteQuestion',
  audience: 'authors',
  path: '/build/{formId}/q/{questionId}/delete',
  access: member,
  needs: LIST,
  open: openDraftEntries,
  show: async ({ app, gate, stored, listed, params, context }) => {
    const placed = requireFound(findQuestion(stored.structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const [head, counts] = await Promise.all([
      loadGateHead(app, gate),
      countAnswers(
        app.table,
        gate.formId,
        listed,
        [params.questionId].filter((id) => stored.answered.ids.has(id)),
      ),
    ]);
    return { html: renderQuestionRemovalPage(context, head, { gate, stored, counts, placed }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openEditedForm,
    actions: {
      deleteQuestion: async ({ app, gate, edited, stored, caller, params: { questionId } }) => {
        const list = questionsHref(gate.formId);
        if (!mayEditQuestions(gate)) return { location: list };
        const now = app.now().toISOString();
        await editForm(app, { gate, edited, caller }, (structure, answered) => {
          // The second press of the button finds nothing to delete.
          const sectionId = findQuestion(structure, questionId)?.section.id;
          const edit = sectionId && { sectionId, questionId, now };
          return { next: edit ? deleteQuestion(structure, answered, edit) : structure, body: undefined };
        });
        const section = findQuestion(stored.structure, questionId)?.section;
        return { location: `${withDone(list, 'questionDeleted')}${section ? `#s-${section.id}` : ''}` };
      },
    },
  },
});

/** Renders the page on which a question is deleted. */
function renderQuestionRemovalPage(
  context: PageContext,
  head: FormHead,
  { placed, ...deleted }: Deleted & { placed: PlacedQuestion },
): Html {
  const { remove: texts } = getQuestionsTexts(context);
  const { gate, stored } = deleted;
  const { structure } = stored;
  const { id, title } = placed.question;
  const answers = answersTo(context, placed.question, deleted);
  const dependents = listDependents(structure, id);
  return removalPage(context, head, {
    title: texts.question(title),
    losses: [
      answers === undefined ? texts.unanswered : `${answers} ${texts.answersStay}`,
      lostRules(context, structure, [placed.question]),
      dependents.length > 0 ? texts.sources(dependents.map((question) => question.title).join(', ')) : '',
    ],
    href: questionHref(gate.formId, id),
    submit: texts.submitQuestion,
  });
}
