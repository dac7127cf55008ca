/**
 * Where the choices of a question come from: rows that are typed, or another question (`sourceId`); the buttons that change
 * the rows, and the controls of both.
 */

import { isDeepStrictEqual } from 'node:util';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import { listRuleQuestions } from '#core/structure/rules.ts';
import { findQuestion, isChoiceSource, listChoices } from '#core/structure/structure.ts';
import type { ChoiceInput } from '#core/structure/types/choices.ts';
import { getTraits, mayHaveSource } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { type Control, fieldError, hiddenFields, type Option, selectField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { parseWholeNumber, type TypedField } from '../shell/typed-fields.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import type { QuestionTarget } from './question-target.ts';

/** A row of the choices; `id` is empty for a new one. */
export type TypedChoice = { id: string; name: string; description: string; limit: string; isOther: boolean };

/** `sourceId`: the question whose choices are offered instead of the rows; empty for none. */
export type TypedChoices = { sourceId: string; rows: readonly TypedChoice[] };

export const emptyChoice = (isOther = false): TypedChoice => ({
  id: '',
  name: '',
  description: '',
  limit: '',
  isOther,
});

const isEmpty = ({ name, isOther, description }: TypedChoice): boolean => !isOther && name === '' && description === '';

/** Builds the choices as they are sent: rows without any text are left out. */
const toChoiceInputs = (rows: readonly TypedChoice[]): ChoiceInput[] =>
  rows
    .filter((row) => !isEmpty(row))
    .map(({ id, name, description, limit, isOther }) => ({
      ...(id !== '' && { id }),
      name,
      ...(description !== '' && { description }),
      ...(isOther && { isOther }),
      limit: limit === '' ? null : parseWholeNumber(limit),
    }));

/** The choices of a question or their source. */
export const choiceRows: TypedField<QuestionTarget, TypedChoices> = {
  show: ({ question }) => ({
    sourceId: question?.sourceId ?? '',
    rows:
      question?.choices?.map(({ id, name, description = '', isOther = false, limit }) => ({
        id,
        name,
        description,
        limit: String(limit ?? ''),
        isOther,
      })) ?? (question?.sourceId === undefined ? [emptyChoice(), emptyChoice()] : []),
  }),
  read: (posted) => {
    const column = (name: string): string[] => posted.getAll(`choice.${name}`);
    const [ids, descriptions, otherFlags] = [column('id'), column('description'), column('other')];
    const limits = column('limit');
    return {
      sourceId: (posted.get('sourceId') ?? '').trim(),
      rows: column('name').map((name, index) => ({
        id: ids[index] ?? '',
        name: name.trim(),
        description: (descriptions[index] ?? '').trim(),
        limit: (limits[index] ?? '').trim(),
        isOther: otherFlags[index] === 'yes',
      })),
    };
  },
  parse: (context, { sourceId, rows }, { stored: { structure, question, type } }) => {
    const texts = getQuestionsTexts(context).edit;
    if (mayHaveSource(type) && sourceId !== '') {
      return sourceId === question?.sourceId || isChoiceSource(structure, sourceId, question?.id)
        ? { members: { sourceId, choices: null } }
        : { errors: { sourceId: texts.sourceInvalid } };
    }
    const choices = toChoiceInputs(rows);
    if (choices.length === 0) return { errors: { 'choice-0': texts.choicesMissing } };
    return choices.length > MAX_CHOICES
      ? { errors: { 'choice-0': texts.choicesMany(MAX_CHOICES) } }
      : { members: { choices, sourceId: null } };
  },
  isStored: ({ question }) => question?.choices !== undefined || question?.sourceId !== undefined,
  words: (context) => {
    const { choices: label, choicesMissing: invalid } = getQuestionsTexts(context).edit;
    return { label, invalid };
  },
  tell: (context, { rows }) => {
    const texts = getQuestionsTexts(context).edit;
    return rows
      .map(({ name, limit }) => `${name || texts.other}${limit === '' ? '' : ` (${texts.choiceLimited(limit)})`}`)
      .join('\n');
  },
  compare: (context, { typed, shown, stored: { structure } }) => {
    const { edit: texts } = getQuestionsTexts(context);
    const source = findQuestion(structure, shown.sourceId)?.question;
    return [
      ...(isDeepStrictEqual(typed.rows, shown.rows)
        ? []
        : [{ label: texts.choices, theirs: choiceRows.tell(context, shown) }]),
      ...(typed.sourceId === shown.sourceId
        ? []
        : [{ label: texts.source, theirs: source?.title ?? texts.ownChoices }]),
    ];
  },
  explain: (context, [index, member], { typed: { rows } }) => {
    const texts = getQuestionsTexts(context).edit;
    const sent = rows.flatMap((row, position) => (isEmpty(row) ? [] : [position]));
    const position = sent[Number(index)] ?? 0;
    if (member === 'limit') return { target: `choice-limit-${position}`, message: texts.choiceLimitInvalid };
    return member === 'description'
      ? { target: `choice-description-${position}`, message: texts.choiceDescriptionInvalid }
      : { target: `choice-${position}`, message: texts.choiceInvalid };
  },
  // The source is among the options: few questions have one.
  render: (context, control, { typed, stored, errors }) =>
    typed.sourceId !== '' && mayHaveSource(stored.type)
      ? sourceChoices(context, stored, typed)
      : rowFields(context, control, { typed, target: stored, errors }),
};

/** Renders the choice of a source, where there is one. */
export function sourceField(
  context: PageContext,
  {
    typed: { sourceId },
    target: { structure, sectionId, question, type },
    action,
    error,
  }: { typed: TypedChoices; target: QuestionTarget; action: string; error: string | undefined },
): Html | undefined {
  const { edit: texts } = getQuestionsTexts(context);
  const sources = structure.sections
    .flatMap(({ questions }) => questions)
    .filter(({ id }) => id === sourceId || (id !== question?.id && isChoiceSource(structure, id, question?.id)));
  if (!mayHaveSource(type) || sources.length === 0) return undefined;
  const earlierIds = new Set(listRuleQuestions(structure, sectionId).map(({ id }) => id));
  const options: Option[] = [
    { value: '', label: texts.ownChoices },
    ...sources.map(({ id, title }) => ({ value: id, label: earlierIds.has(id) ? title : texts.sourceLater(title) })),
  ];
  const control = { name: 'sourceId', label: texts.source, hint: texts.sourceHint, value: sourceId, options, error };
  return html`<div class="with-button">${selectField(context, control)}
<button class="secondary" name="do" value="source" formaction="${action}#sourceId">${texts.showSource}</button></div>`;
}

/** Renders what a source offers; own choices are sent along, so that they are still there if it is not chosen after all. */
function sourceChoices(
  context: PageContext,
  { structure }: Pick<QuestionTarget, 'structure'>,
  { sourceId, rows }: TypedChoices,
): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const offered = listChoices(structure, sourceId);
  const ownChoices = rows.filter(({ name, isOther }) => name !== '' || isOther);
  return html`<div class="field source">${
    offered.length === 0
      ? html`<p>${texts.sourceEmpty}</p>`
      : html`<p>${texts.sourceOffers}</p><ul>${offered.map(({ name }) => html`<li dir="auto">${name || texts.other}</li>`)}</ul>`
  }
${ownChoices.length > 0 && html`<p class="notice warning">${texts.ownChoicesGo(ownChoices.map(({ name }) => name || texts.other).join(', '))}</p>`}
${rows.map(({ id, name, description, limit, isOther }) => hiddenFields({ 'choice.name': name, 'choice.id': id, 'choice.other': isOther ? 'yes' : '', 'choice.description': description, 'choice.limit': limit }))}</div>`;
}

type Rows = { typed: TypedChoices; target: QuestionTarget; errors: Readonly<Record<string, string | undefined>> };

function rowFields(context: PageContext, { label }: Control, fields: Rows): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const { rows } = fields.typed;
  const hasOther = rows.some(({ isOther }) => isOther);
  return html`<fieldset class="field"><legend class="field-legend">${label}</legend>
${rows.length === 0 && fieldError(context, 'choice-0', fields.errors['choice-0'])}
<ol class="choice-rows">${rows.map((row, index) => rowField(context, fields, { row, index }))}</ol>
<p class="actions"><button class="secondary" name="do" value="add-choice"${attribute('id', rows.length === 0 && 'choice-0')}>${texts.addChoice}</button><button class="secondary" name="do" value="add-other"${attribute('hidden', hasOther)}>${texts.addOther}</button></p>
</fieldset>`;
}

function rowField(
  context: PageContext,
  { typed: { rows }, target: { type, focus }, errors }: Rows,
  { row, index }: { row: TypedChoice; index: number },
): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const label = row.isOther ? texts.otherName : texts.choice(index + 1);
  const name = row.name || label;
  const error = errors[`choice-${index}`];
  const descriptionError = errors[`choice-description-${index}`];
  const limitError = errors[`choice-limit-${index}`];
  const button = (action: string, text: string, symbol: IconName, isOffered = true): Html =>
    html`<button class="quiet" name="do" value="${action}:${index}" title="${text}" aria-label="${text}"${attribute('hidden', !isOffered)}>${icon(symbol)}</button>`;
  return html`<li class="choice-row${(error ?? descriptionError ?? limitError) !== undefined && ' invalid'}">
<div class="choice-texts">${fieldError(context, `choice-${index}`, error)}
<input dir="auto" id="choice-${index}" name="choice.name" aria-label="${label}" value="${row.name}" autocomplete="off"${attribute('placeholder', row.isOther && texts.other)}${attribute('autofocus', focus === index)}${attribute('aria-describedby', error !== undefined && `choice-${index}-error`)}${attribute('aria-invalid', error !== undefined && 'true')}>
<input type="hidden" name="choice.id" value="${row.id}"><input type="hidden" name="choice.other" value="${row.isOther ? 'yes' : ''}">
${
  getTraits(type).hasDescriptions
    ? html`${fieldError(context, `choice-description-${index}`, descriptionError)}
<textarea dir="auto" id="choice-description-${index}" name="choice.description" rows="2" aria-label="${texts.choiceDescription(index + 1)}">
${row.description}</textarea>`
    : html`<input type="hidden" name="choice.description" value="${row.description}">`
}
${
  getTraits(type).isOrdered
    ? html`<input type="hidden" name="choice.limit" value="">`
    : html`${fieldError(context, `choice-limit-${index}`, limitError)}
<input class="choice-limit" id="choice-limit-${index}" name="choice.limit" inputmode="numeric" autocomplete="off" aria-label="${texts.choiceLimit}" placeholder="${texts.choiceLimit}" value="${row.limit}"${attribute('aria-describedby', limitError !== undefined && `choice-limit-${index}-error`)}${attribute('aria-invalid', limitError !== undefined && 'true')}>`
}</div>
<div class="choice-buttons">${button('choice-up', texts.choiceUp(name), 'up', index > 0)}${button('choice-down', texts.choiceDown(name), 'down', index < rows.length - 1)}${button('choice-remove', texts.removeChoice(name), 'close')}</div>
</li>`;
}

/**
 * Applies a button of the choices: \`add\`, \`other\`, or \`up\`, \`down\` and \`remove\` with a position. Returns the index of the
 * row that takes the focus, or undefined for another button.
 */
export function changeRows(
  rows: readonly TypedChoice[],
  action: string,
): { rows: readonly TypedChoice[]; focus: number } | undefined {
  const [name, position = ''] = action.split(':');
  const index = Number(position);
  const row = rows[index];
  if (name?.startsWith('choice-') && !row) return { rows, focus: 0 };
  switch (name) {
    case 'add-choice': {
      // The other choice stays the last one.
      const at = rows.at(-1)?.isOther ? rows.length - 1 : rows.length;
      return { rows: rows.toSpliced(at, 0, emptyChoice()), focus: at };
    }
    case 'add-other':
      return rows.some(({ isOther }) => isOther)
        ? { rows, focus: rows.length - 1 }
        : { rows: [...rows, emptyChoice(true)], focus: rows.length };
    case 'choice-up':
    case 'choice-down': {
      const to = Math.min(Math.max(index + (name === 'choice-up' ? -1 : 1), 0), rows.length - 1);
      return row && { rows: rows.toSpliced(index, 1).toSpliced(to, 0, row), focus: to };
    }
    case 'choice-remove':
      return row && { rows: rows.toSpliced(index, 1), focus: Math.max(index - 1, 0) };
    default:
      return undefined;
  }
}
