/** Replaces the choices of a question by lines of text; choices keep their ids by name. Removals are confirmed first. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { checkChoiceLines, toChoiceLines } from '#core/pages/builder/choice-lines.ts';
import { hashQuestion } from '#core/pages/builder/content-hash.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { buildConfirmation, listRemovedChoices, loadLosses } from '#core/pages/builder/losses.ts';
import { type ChoicesPage, renderChoicesPage } from '#core/pages/builder/question.ts';
import { explainEdit, lockedText, questionHref } from '#core/pages/builder/questions.ts';
import { type FormHead, loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { requireFound } from '#core/problems/problems.ts';
import { replaceQuestion } from '#core/structure/questions.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeChoices,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { questionId }, posted: { fields }, context }) => {
    const { choices: texts, edit } = getQuestionsTexts(context);
    const find = (structure: Structure) => requireFound(findQuestion(structure, questionId));
    const { question } = find(stored.structure);
    const text = fields.get('choices') ?? '';
    const render = async (
      structure: Structure,
      { status = 200, ...changes }: Partial<ChoicesPage> & { status?: number },
      loaded?: FormHead,
    ) => {
      const head = loaded ?? (await loadGateHead(app, gate));
      const page = { gate, question: find(structure).question, text, seen: fields.get('hash'), ...changes };
      return { html: renderChoicesPage(context, head, page), status };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render(stored.structure, { refusal: locked, status: 409 });
    const checked = checkChoiceLines(text, question);
    if ('fault' in checked) {
      const errors = { empty: edit.choicesMissing, many: edit.choicesMany(checked.max), invalid: texts.invalid };
      return render(stored.structure, { error: errors[checked.fault], status: 400 });
    }
    const loss = { removed: listRemovedChoices(question, checked.choices), rules: 0, type: question.type };
    const confirmed = buildConfirmation(loss);
    if (confirmed !== '' && fields.get('confirmed') !== confirmed) {
      const losing = loadLosses(app.table, stored, question, loss);
      const [losses, head] = await Promise.all([losing, loadGateHead(app, gate)]);
      return render(stored.structure, { losses, confirmed, status: 409 }, head);
    }
    return saveTyped({
      fields,
      contentHash: (structure: Structure) => hashQuestion(find(structure).question),
      listOverwritten: (structure: Structure) => {
        const theirs = toChoiceLines(find(structure).question.choices ?? []);
        return theirs === toChoiceLines(checked.choices) ? [] : [{ label: edit.choices, theirs }];
      },
      reload: async () => (await reloadEdited(app, gate.formId)).structure,
      render,
      explain: (problem) => explainEdit(context, problem, edit.refused),
      save: (requireSeen) =>
        editDraft(app, { gate, draft, caller }, (structure, answered) => {
          const { question: before, section, order } = find(structure);
          const { id: _id, createdAt: _created, updatedAt: _updated, ...content } = before;
          const input = { ...content, choices: checked.choices, order };
          const ids = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
          const next = replaceQuestion(structure, answered, { sectionId: section.id, questionId, input, ...ids });
          requireSeen(structure, next);
          return { next, body: `${withDone(questionHref(gate.formId, questionId), 'saved')}#choice-0` };
        }),
    });
  },
);
