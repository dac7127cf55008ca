/**
 * Shows a question for editing. Stores a question (`do=save`), or changes the fields of its form. A question that
 * somebody else has deleted can be stored as a new one.
 */
import { isDeepStrictEqual } from 'node:util';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import type { Question } from '#core/structure/question-model.ts';
import { moveQuestion, replaceQuestion } from '#core/structure/questions.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
import { getTraits, isChoiceType, mayHaveSource } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import type { Overwritten } from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getRichTextTexts } from '../text/rich-text.ts';
import { hashQuestion } from './content-hash.ts';
import { withDone } from './frame.ts';
import { buildConfirmation, findLoss, loadLosses } from './losses.ts';
import { renderQuestionPage, type StoredQuestionPage } from './question.ts';
import { changeTyped } from './question-buttons.ts';
import { checkQuestion, parseTypedQuestion, type TypedQuestion, toTypedQuestion } from './question-fields.ts';
import { nameProvider } from './question-form.ts';
import { explainEdit, lockedText, mayEditQuestions, questionsHref } from './questions.ts';
import { replacementFor } from './rich-text-field.ts';

export const page = definePage({
  name: 'question',
  audience: 'authors',
  path: '/build/{formId}/q/{questionId}',
  access: member,
  needs: LIST,
  open: openDraft,
  show: async ({ app, gate, stored: { structure, answered }, params, context }) => {
    const { question, section } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const typed = toTypedQuestion(question);
    const isAnswered = answered.ids.has(question.id);
    const head = await loadGateHead(app, gate);
    return {
      html: renderQuestionPage(context, head, {
        gate,
        structure,
        sectionId: section.id,
        typed,
        question,
        isAnswered,
      }),
    };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openDraft,
    actions: {
      changeQuestion: async ({
        app,
        gate,
        draft,
        stored,
        caller,
        params: { questionId },
        posted: { fields },
        context,
      }) => {
        const { edit: texts } = getQuestionsTexts(context);
        const action = fields.get('do') ?? 'save';
        const render = async (
          { structure, answered }: StoredStructure,
          { status = 200, ...changes }: Partial<StoredQuestionPage> & { status?: number },
          loaded?: FormHead,
        ) => {
          const head = loaded ?? (await loadGateHead(app, gate));
          const placed = findQuestion(structure, questionId);
          const typed = parseTypedQuestion(fields, placed?.question);
          if (!placed) {
            const section = findSection(structure, fields.get('section') ?? '') ?? structure.sections[0];
            const data = { gate, structure, sectionId: requireFound(section).id, typed: toNewQuestion(typed) };
            const page = { ...data, newId: app.uuid(), refusal: texts.deleted };
            return { html: renderQuestionPage(context, head, page), status: 409 };
          }
          const { question, section } = placed;
          const data = { gate, structure, sectionId: section.id, typed, question, seen: fields.get('hash') };
          const page = { ...data, isAnswered: answered.ids.has(questionId), ...changes };
          return { html: renderQuestionPage(context, head, page), status };
        };
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render(stored, { refusal: locked, status: 409 });
        const opened = findQuestion(stored.structure, questionId);
        if (!opened) return render(stored, {});
        const { question } = opened;
        const list = questionsHref(gate.formId);
        if (action === 'move') {
          const [sectionId = '', after = ''] = (fields.get('place') ?? '').split(':');
          const move = (structure: Structure) => {
            const { section } = requireFound(findQuestion(structure, questionId));
            const place = { sectionId, after: after === '' ? null : after };
            const next = moveQuestion(structure, { sectionId: section.id, questionId }, place);
            return { next, body: { location: `${withDone(list, 'questionMoved')}#q-${questionId}` } };
          };
          const result = await tryEditDraft(app, { gate, draft, caller }, move);
          if (!(result instanceof Problem)) return result;
          // The place that was chosen may have been deleted meanwhile.
          const newest = await reloadEdited(app, gate.formId);
          const current = requireFound(findQuestion(newest.structure, questionId)).question;
          return render(newest, { typed: toTypedQuestion(current), ...explainEdit(context, result, texts.refused) });
        }
        const typed = parseTypedQuestion(fields, question);
        if (action === 'replace') {
          return render(stored, { typed: { ...typed, description: replacementFor(question.description) } });
        }
        const changed = changeTyped(typed, action);
        if (changed) return render(stored, changed);
        const target = { structure: stored.structure, stored: question, order: opened.order };
        const checked = checkQuestion(context, typed, target);
        if ('errors' in checked) return render(stored, { errors: checked.errors, status: 400 });
        const loss = findLoss(stored, question, checked.input);
        const confirmed = buildConfirmation(loss);
        if (confirmed !== '' && fields.get('confirmed') !== confirmed) {
          const losing = loadLosses(app.table, stored, question, loss);
          const [losses, head] = await Promise.all([losing, loadGateHead(app, gate)]);
          return render(stored, { losses, confirmed, status: 409 }, head);
        }
        return saveTyped({
          fields,
          contentHash: ({ structure }: Edited) =>
            hashQuestion(requireFound(findQuestion(structure, questionId)).question),
          listOverwritten: ({ structure }: Edited) => {
            const current = findQuestion(structure, questionId)?.question;
            return current ? listOverwritten(context, structure, { question: current, typed }) : [];
          },
          reload: () => reloadEdited(app, gate.formId),
          render,
          explain: (problem) => explainEdit(context, problem, texts.refused),
          save: (requireSeen) =>
            editDraft(app, { gate, draft, caller }, (structure, answered) => {
              const { section, order } = requireFound(findQuestion(structure, questionId));
              const ids = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
              const edit = { sectionId: section.id, questionId, input: { ...checked.input, order }, ...ids };
              const next = replaceQuestion(structure, answered, edit);
              requireSeen({ structure }, { structure: next });
              return { next, body: `${withDone(list, 'saved')}#q-${questionId}` };
            }),
        });
      },
    },
  },
});

type Edited = Pick<StoredStructure, 'structure'>;

/** Returns the fields of a question that was deleted for a new one, whose choices get new ids. */
const toNewQuestion = (typed: TypedQuestion): TypedQuestion => ({
  ...typed,
  choices: typed.choices.map((choice) => ({ ...choice, id: '' })),
});

/** Lists what somebody else has stored in a question since its form was made. */
function listOverwritten(
  context: PageContext,
  structure: Structure,
  { question, typed }: { question: Question; typed: TypedQuestion },
): Overwritten[] {
  const { edit: texts, types, conflict } = getQuestionsTexts(context);
  const theirs = toTypedQuestion(question);
  const names = ({ choices }: TypedQuestion): string => choices.map(({ name }) => name || texts.other).join('\n');
  const options = describeOptions(context, theirs);
  return [
    ...(theirs.title === typed.title ? [] : [{ label: texts.question, theirs: theirs.title }]),
    ...(typed.description === undefined || theirs.description === typed.description
      ? []
      : [{ label: texts.description, theirs: theirs.description ?? getRichTextTexts(context).otherProgram }]),
    ...(theirs.required === typed.required
      ? []
      : [{ label: conflict.required, theirs: theirs.required ? texts.yes : texts.no }]),
    ...(theirs.type === typed.type ? [] : [{ label: texts.type, theirs: types[theirs.type] }]),
    ...(!isChoiceType(theirs.type) || isDeepStrictEqual(theirs.choices, typed.choices)
      ? []
      : [{ label: texts.choices, theirs: names(theirs) }]),
    ...(!mayHaveSource(theirs.type) || theirs.sourceId === typed.sourceId
      ? []
      : [
          { label: texts.source, theirs: findQuestion(structure, theirs.sourceId)?.question.title ?? texts.ownChoices },
        ]),
    ...(options === undefined || isDeepStrictEqual(pickTyped(theirs), pickTyped({ ...typed, type: theirs.type }))
      ? []
      : [{ label: conflict.options, theirs: options }]),
  ];
}

/** Picks what was typed for the option of the type of a question; undefined for a type without one, and for choices. */
const pickTyped = ({ type, scale, files, date, provider }: TypedQuestion): unknown =>
  ({ scale, uploadFile: files, date, oauthConnect: provider, choices: undefined })[getTraits(type).option ?? 'choices'];

/** Says what a question has of the option of its type; undefined for a type without one, and for choices. */
function describeOptions(context: PageContext, typed: TypedQuestion): string | undefined {
  const { edit: texts } = getQuestionsTexts(context);
  const { scale, files, date } = typed;
  switch (getTraits(typed.type).option) {
    case 'scale':
      return join([
        ...[scale.minVal, scale.maxVal],
        ...[named(texts.minLabel, scale.minValueLabel), named(texts.maxLabel, scale.maxValueLabel)],
        scale.icon,
      ]);
    case 'uploadFile':
      return join([files.types.join(', '), files.maxAmount, `${files.maxMegabytes} MB`]);
    case 'date':
      return join([
        ...date.parts.map((part) => texts[part]),
        ...[named(texts.minDate, date.min), named(texts.maxDate, date.max)],
      ]);
    case 'oauthConnect':
      return nameProvider(context, typed.provider === 'PROVIDER_TWO' ? 'PROVIDER_TWO' : 'PROVIDER_ONE');
    default:
      return undefined;
  }
}

const named = (label: string, value: string): string => (value === '' ? '' : `${label}: ${value}`);

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' – ');
