/**
 * Stores a new question (`do=save`, or `another` to continue with the next one), or changes the fields of its form. In place of
 * a section that somebody else has deleted, another one is chosen.
 */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { type NewQuestionPage, renderQuestionPage } from '#core/pages/builder/question.ts';
import { changeTyped } from '#core/pages/builder/question-buttons.ts';
import { checkQuestion, parseTypedQuestion } from '#core/pages/builder/question-fields.ts';
import { explainEdit, lockedText, questionsHref, sectionHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { createQuestion } from '#core/structure/questions.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';

/** Behind all others. */
const LAST = 1_000;

export const handler = page(
  authorPages.createQuestion,
  openDraft,
  async ({ app, gate, draft, stored, caller, params, posted, context }) => {
    const { edit: texts, list } = getQuestionsTexts(context);
    const action = posted.fields.get('do') ?? 'save';
    const newId = readNewId(posted.fields, caller, app);
    const typed = parseTypedQuestion(posted.fields);
    /** The section of the path, or in place of a deleted one that which was chosen; undefined if that was deleted, too. */
    const findTarget = (structure: Structure) =>
      findSection(structure, params.sectionId) ?? findSection(structure, posted.fields.get('section') ?? '');
    const render = async (
      { status = 200, ...changes }: Partial<NewQuestionPage> & { status?: number },
      structure = stored.structure,
    ) => {
      const target = findTarget(structure);
      const sectionId = requireFound(target ?? sectionsInOrder(structure)[0]).id;
      const deletedSectionId = sectionId === params.sectionId ? undefined : params.sectionId;
      const refusal = target ? undefined : texts.sectionDeleted;
      const data = { gate, structure, sectionId, deletedSectionId, typed, newId: newId.field, refusal };
      return { html: renderQuestionPage(context, await loadGateHead(app, gate), { ...data, ...changes }), status };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render({ refusal: locked, status: 409 });
    const changed = changeTyped(typed, action);
    if (changed) return render(changed);
    const { structure } = stored;
    const checked = checkQuestion(context, typed, { structure, order: LAST });
    if ('errors' in checked) return render({ errors: checked.errors, status: 400 });
    const section = findTarget(structure);
    if (!section) return render({ status: 409 });
    const derivedId = idWithin(gate.formId, newId.derive([section.id, typed]));
    const randomId = () => idWithin(gate.formId, app.uuid());
    const edit = { sectionId: section.id, input: checked.input, now: app.now().toISOString(), newId: randomId };
    let questionId = derivedId;
    try {
      questionId = await editDraft(app, { gate, draft, caller }, (current, _answered, isUsedId) => {
        // The second press of the button finds what the first one has created.
        if (findQuestion(current, derivedId)) return { next: current, body: derivedId };
        const id = isUsedId(derivedId) ? randomId() : derivedId;
        return { next: createQuestion(current, { ...edit, questionId: id }), body: id };
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 404) {
        const newest = (await reloadEdited(app, gate.formId)).structure;
        if (!findTarget(newest)) return render({ status: 409 }, newest);
      }
      if (error.code === 'content_too_large') return render(explainEdit(context, error, texts.refused));
      if (error.status !== 400) throw error;
      const refusal = error.code === 'too_many_questions' ? list.tooMany : texts.refused;
      return render({ refusal, status: 400 });
    }
    if (action === 'another')
      return { location: withDone(`${sectionHref(gate.formId, section.id)}/new`, 'questionAdded') };
    return { location: `${withDone(questionsHref(gate.formId), 'questionAdded')}#q-${questionId}` };
  },
);
