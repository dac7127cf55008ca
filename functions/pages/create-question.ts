/** Stores a new question (`do=save`, or `another` to continue with the next one), or changes the fields of its form. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraftSection } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { questionPage } from '#core/pages/builder/question.ts';
import { changeChoices, checkQuestion, parseTypedQuestion, withType } from '#core/pages/builder/question-fields.ts';
import { lockedText, questionsHref, sectionHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { deriveNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsText } from '#core/pages/text/questions.ts';
import { Problem } from '#core/problems/problems.ts';
import { createQuestion } from '#core/structure/questions.ts';
import { findQuestion } from '#core/structure/structure.ts';

/** Behind all others. */
const LAST = 1_000;

export const handler = page(
  authorPages.createQuestion,
  openDraftSection,
  async ({ app, gate, draft, stored, caller, params: { sectionId }, posted, context }) => {
    const { edit: texts, list } = getQuestionsText(context);
    const { structure } = stored;
    const action = posted.fields.get('do') ?? 'save';
    const { id, fieldId } = deriveNewId(posted.fields, caller, app);
    const typed = parseTypedQuestion(posted.fields);
    const again = async (changes: object, status = 200) => ({
      html: questionPage(context, await loadGateHead(app, gate), {
        ...{ gate, structure, sectionId, typed, newId: fieldId },
        ...changes,
      }),
      status,
    });
    const locked = lockedText(context, gate);
    if (locked !== undefined) return again({ refusal: locked }, 409);
    if (action === 'preview' || action === 'source') return again({});
    if (action === 'type') return again({ typed: withType(typed) });
    const changed = changeChoices(typed.choices, action);
    if (changed) return again({ typed: { ...typed, choices: changed.choices }, focus: changed.focus });
    const checked = checkQuestion(context, typed, { structure, order: LAST });
    if ('errors' in checked) return again({ errors: checked.errors }, 400);
    const questionId = idWithin(gate.formId, id);
    const newId = () => idWithin(gate.formId, app.uuid());
    const edit = { sectionId, questionId, input: checked.input, now: app.now().toISOString(), newId };
    try {
      await editDraft(app, { gate, draft, caller }, (current) =>
        findQuestion(current, questionId) ? current : createQuestion(current, edit),
      );
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error;
      return again({ refusal: error.code === 'too_many_questions' ? list.tooMany : texts.refused }, 400);
    }
    if (action === 'another')
      return { location: withDone(`${sectionHref(gate.formId, sectionId)}/new`, 'questionAdded') };
    return { location: `${withDone(questionsHref(gate.formId), 'questionAdded')}#q-${questionId}` };
  },
);
