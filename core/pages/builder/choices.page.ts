/**
 * Shows the choices of a question as text, one a line. Replaces the choices of a question by lines of text; choices
 * keep their ids by name. Removals are confirmed first.
 */

import { idWithin } from '#core/db/keys.ts';
import { editForm, openEditedForm, reloadEdited } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { requireFound } from '#core/problems/problems.ts';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import type { Question } from '#core/structure/question-model.ts';
import { replaceQuestion } from '#core/structure/questions.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { type Choice, ChoiceInput } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  hiddenFields,
  type Overwritten,
  pageTitle,
  textArea,
} from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashQuestion } from './content-hash.ts';
import { builderLayout, withDone } from './frame.ts';
import {
  buildConfirmation,
  CONFIRMED_FORM,
  type Losses,
  listRemovedChoices,
  loadLosses,
  lossNotice,
} from './losses.ts';
import { explainEdit, lockedText, mayEditQuestions, questionHref, questionsHref } from './questions.ts';

export const page = definePage({
  name: 'choices',
  audience: 'authors',
  path: '/build/{formId}/q/{questionId}/choices',
  access: member,
  needs: LIST,
  open: openEditedForm,
  show: async ({ app, gate, stored: { structure }, params, context }) => {
    const { question } = requireFound(findQuestion(structure, params.questionId));
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    if (!question.choices) return { location: questionHref(gate.formId, question.id) };
    const text = toChoiceLines(question.choices);
    return { html: renderChoicesPage(context, await loadGateHead(app, gate), { gate, question, text }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openEditedForm,
    actions: {
      changeChoices: async ({
        app,
        gate,
        edited,
        stored,
        caller,
        params: { questionId },
        posted: { fields },
        context,
      }) => {
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
            editForm(app, { gate, edited, caller }, (structure, answered) => {
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
    },
  },
});

type ChoicesPage = {
  gate: Gate;
  question: Question;
  text: string;
  error?: string | undefined;
  /** What saving would lose, and what confirms that. */
  losses?: Losses;
  confirmed?: string;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string;
};

/** Renders the page on which choices are one a line. */
function renderChoicesPage(context: PageContext, head: FormHead, page: ChoicesPage): Html {
  const { choices: texts, edit } = getQuestionsTexts(context);
  const { gate, question, text, error, losses, confirmed, overwritten = [], refusal } = page;
  const href = questionHref(gate.formId, question.id);
  const hasOther = question.choices?.some(({ isOther }) => isOther);
  return builderLayout(context, head, {
    current: 'edit',
    title: pageTitle(context, texts.title(question.title), error !== undefined),
    main: html`${errorSummary(context, error === undefined ? [] : [{ target: 'choices', message: error }])}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${losses && lossNotice(context, losses)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: `${href}/choices` })}
<p><a class="back" dir="auto" href="${href}">${question.title}</a></p>
<h1>${texts.title(question.title)}</h1>
<form method="post" action="${href}/choices" id="${CONFIRMED_FORM}" class="card" novalidate data-once>
${hiddenFields({ hash: seenHash(hashQuestion(question), page), ...(confirmed !== undefined && { confirmed }) })}
${textArea(context, { name: 'choices', label: texts.label, hint: texts.hint, value: text, error })}
${hasOther && html`<p class="hint">${texts.other}</p>`}
<p class="actions"><button>${edit.save}</button><a class="button secondary" href="${href}">${context.t.shell.cancel}</a></p>
</form>`,
  });
}

/** Writes choices as lines; the other choice, whose text respondents type, is left out. */
const toChoiceLines = (choices: readonly ChoiceInput[]): string =>
  choices
    .filter(({ isOther }) => !isOther)
    .map(({ name, description }) => (description ? `${name}\t${description.replaceAll('\n', ' ')}` : name))
    .join('\n');

type Checked = { choices: ChoiceInput[] } | { fault: 'empty' | 'many' | 'invalid'; max: number };

/**
 * Reads lines as the choices of a question. Choices keep their ids by name, renamed ones by their order if as many
 * names went as came. The other choice stays, as the last one.
 */
function checkChoiceLines(text: string, { choices = [] }: Question): Checked {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const otherChoices = choices.filter(({ isOther }) => isOther);
  const named = choices.filter(({ isOther }) => !isOther);
  if (lines.length + otherChoices.length === 0) return { fault: 'empty', max: MAX_CHOICES };
  if (lines.length + otherChoices.length > MAX_CHOICES) return { fault: 'many', max: MAX_CHOICES };
  const typed = lines.map((line) => {
    const [name = '', ...description] = line.split('\t');
    return { name: name.trim(), description: description.join(' ').trim() };
  });
  const renamed = matchRenamed(named, typed);
  const inputs = typed.map(({ name, description }) => {
    const id = renamed.get(name);
    return ChoiceInput().safeParse({ name, ...(description !== '' && { description }), ...(id && { id }) });
  });
  const valid = inputs.flatMap(({ data }) => data ?? []);
  if (valid.length < inputs.length) return { fault: 'invalid', max: MAX_CHOICES };
  return { choices: [...valid, ...otherChoices] };
}

/** Finds the ids of choices that got other names: as many names went as came, so they are matched in order. */
function matchRenamed(choices: readonly Choice[], typed: readonly { name: string }[]): ReadonlyMap<string, string> {
  const before = new Set(choices.map(({ name }) => name));
  const after = new Set(typed.map(({ name }) => name));
  const renamed = choices.filter(({ name }) => !after.has(name));
  const added = typed.filter(({ name }) => !before.has(name));
  if (renamed.length !== added.length) return new Map();
  return new Map(added.flatMap(({ name }, index): [string, string][] => [[name, renamed[index]?.id ?? '']]));
}
