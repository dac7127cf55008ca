/** The form of a question: the same for a new one and for one that is stored. */

import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { listRuleQuestions } from '#core/structure/rules.ts';
import { isChoiceSource, listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { FILE_TYPES } from '#core/structure/types/file-types.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import { ICONS } from '#core/structure/types/scale.ts';
import { getTraits, mayHaveSource, type OptionName, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import {
  enterSaves,
  fieldError,
  hiddenFields,
  type Option,
  selectField,
  switchField,
  textField,
} from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { CONFIRMED_FORM } from './losses.ts';
import { DATE_PARTS, type QuestionErrors, type TypedQuestion } from './question-fields.ts';
import { richTextField } from './rich-text-field.ts';

type QuestionForm = {
  /** Where the form is posted. */
  action: string;
  structure: Structure;
  /** The section of the question; `choosesSection`: in place of one that was deleted. */
  sectionId: string;
  choosesSection?: boolean;
  typed: TypedQuestion;
  errors: QuestionErrors;
  /** The stored question, and whether it has answers; none for a new one. */
  stored?: Question | undefined;
  isAnswered?: boolean;
  /** The index of the choice that takes the focus. */
  focus?: number | undefined;
  /** Fields that are sent along. */
  hidden: Readonly<Record<string, string>>;
  /** Further buttons next to the one that saves. */
  buttons?: Html;
};

/** Renders the form. Enter in a field saves: the first button is that one, out of sight. */
export function questionForm(context: PageContext, form: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const { action, typed, errors, hidden, buttons, stored } = form;
  return html`<form method="post" action="${action}" id="${CONFIRMED_FORM}" class="card" data-once>
${enterSaves(context)}${hiddenFields(hidden)}
${form.choosesSection && sectionField(context, form)}
${textField(context, { name: 'title', label: texts.question, value: typed.title, error: errors.title, required: true })}
${richTextField(context, {
  name: 'description',
  label: texts.description,
  hint: texts.descriptionHint,
  value: typed.description,
  document: stored?.description ?? null,
  action,
  error: errors.description,
})}
${switchField({ name: 'required', label: texts.required, isOn: typed.required })}
${typeField(context, form)}
${typeOptions(context, form)}
<p class="actions"><button name="do" value="save">${texts.save}</button>${buttons}</p>
</form>`;
}

function sectionField(context: PageContext, { structure, sectionId }: QuestionForm): Html {
  const { section, list } = getQuestionsTexts(context);
  const options = sectionsInOrder(structure).map(({ id }) => ({
    value: id,
    label: sectionTitle(structure, id) || list.untitled,
  }));
  return selectField(context, { name: 'section', label: section.title, value: sectionId, options });
}

/** The type: while nobody has answered, it can be changed; the fields of the new type follow. */
function typeField(context: PageContext, { action, typed, errors, isAnswered }: QuestionForm): Html {
  const { edit: texts, types } = getQuestionsTexts(context);
  if (isAnswered) {
    return html`<p class="field"><strong>${texts.type}: ${types[typed.type]}</strong><br><span class="hint">${texts.typeAnswered}</span></p>
${hiddenFields({ type: typed.type })}`;
  }
  const options = QUESTION_TYPES.map((value) => ({ value, label: types[value] }));
  return html`<div class="with-button">${selectField(context, { name: 'type', label: texts.type, value: typed.type, options, error: errors.type })}
<button class="secondary" name="do" value="type" formaction="${action}#type">${texts.changeType}</button></div>`;
}

function typeOptions(context: PageContext, form: QuestionForm): Html | undefined {
  const { option } = getTraits(form.typed.type);
  return option && OPTIONS[option](context, form);
}

function choiceOptions(context: PageContext, form: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const { action, typed, errors, structure, sectionId, stored } = form;
  const { type, choices } = typed;
  const sourceId = mayHaveSource(type) ? typed.sourceId : '';
  const sources = structure.sections
    .flatMap(({ questions }) => questions)
    .filter(({ id }) => id === sourceId || (id !== stored?.id && isChoiceSource(structure, id, stored?.id)));
  const earlierIds = new Set(listRuleQuestions(structure, sectionId).map(({ id }) => id));
  const options: Option[] = [
    { value: '', label: texts.ownChoices },
    ...sources.map(({ id, title }) => ({ value: id, label: earlierIds.has(id) ? title : texts.sourceLater(title) })),
  ];
  return html`${
    mayHaveSource(type) &&
    options.length > 1 &&
    html`<div class="with-button">${selectField(context, {
      name: 'sourceId',
      label: texts.source,
      hint: texts.sourceHint,
      value: sourceId,
      options,
      error: errors.sourceId,
    })}
<button class="secondary" name="do" value="source" formaction="${action}#sourceId">${texts.showSource}</button></div>`
  }
${sourceId === '' ? ownChoices(context, form) : sourceChoices(context, { structure, sourceId, choices })}`;
}

/** Renders what a source offers; own choices are sent along, so that they are still there if it is not chosen after all. */
function sourceChoices(
  context: PageContext,
  { structure, sourceId, choices }: Pick<QuestionForm, 'structure'> & Pick<TypedQuestion, 'sourceId' | 'choices'>,
): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const offered = listChoices(structure, sourceId);
  const ownChoices = choices.filter(({ name, isOther }) => name !== '' || isOther);
  return html`<div class="field source">${
    offered.length === 0
      ? html`<p>${texts.sourceEmpty}</p>`
      : html`<p>${texts.sourceOffers}</p><ul>${offered.map(({ name }) => html`<li>${name || texts.other}</li>`)}</ul>`
  }
${ownChoices.length > 0 && html`<p class="notice warning">${texts.ownChoicesGo(ownChoices.map(({ name }) => name || texts.other).join(', '))}</p>`}
${choices.map(({ id, name, description, isOther }) => hiddenFields({ 'choice.name': name, 'choice.id': id, 'choice.other': isOther ? 'yes' : '', 'choice.description': description }))}</div>`;
}

function ownChoices(context: PageContext, form: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const {
    typed: { choices },
    errors,
  } = form;
  const hasOther = choices.some(({ isOther }) => isOther);
  return html`<fieldset class="field"><legend class="field-legend">${texts.choices}</legend>
${choices.length === 0 && fieldError(context, 'choice-0', errors['choice-0'])}
<ol class="choice-rows">${choices.map((_, index) => choiceRow(context, form, index))}</ol>
<p class="actions"><button class="secondary" name="do" value="add-choice"${attribute('id', choices.length === 0 && 'choice-0')}>${texts.addChoice}</button>${!hasOther && html`<button class="secondary" name="do" value="add-other">${texts.addOther}</button>`}</p>
</fieldset>`;
}

function choiceRow(context: PageContext, { typed, errors, focus }: QuestionForm, index: number): Html | undefined {
  const { edit: texts } = getQuestionsTexts(context);
  const choice = typed.choices[index];
  if (!choice) return undefined;
  const label = choice.isOther ? texts.otherName : texts.choice(index + 1);
  const name = choice.name || label;
  const error = errors[`choice-${index}`];
  const descriptionError = errors[`choice-description-${index}`];
  const last = typed.choices.length - 1;
  const button = (action: string, text: string, symbol: IconName): Html =>
    html`<button class="quiet" name="do" value="${action}:${index}" title="${text}" aria-label="${text}">${icon(symbol)}</button>`;
  return html`<li class="choice-row${(error !== undefined || descriptionError !== undefined) && ' invalid'}">
<div class="choice-texts">${fieldError(context, `choice-${index}`, error)}
<input id="choice-${index}" name="choice.name" aria-label="${label}" value="${choice.name}" autocomplete="off"${attribute('placeholder', choice.isOther && texts.other)}${attribute('autofocus', focus === index)}${attribute('aria-describedby', error !== undefined && `choice-${index}-error`)}${attribute('aria-invalid', error !== undefined && 'true')}>
<input type="hidden" name="choice.id" value="${choice.id}"><input type="hidden" name="choice.other" value="${choice.isOther ? 'yes' : ''}">
${
  getTraits(typed.type).hasDescriptions
    ? html`${fieldError(context, `choice-description-${index}`, descriptionError)}
<textarea id="choice-description-${index}" name="choice.description" rows="2" aria-label="${texts.choiceDescription(index + 1)}">
${choice.description}</textarea>`
    : html`<input type="hidden" name="choice.description" value="${choice.description}">`
}</div>
<div class="choice-buttons">${index > 0 && button('choice-up', texts.choiceUp(name), 'up')}${index < last && button('choice-down', texts.choiceDown(name), 'down')}${button('choice-remove', texts.removeChoice(name), 'close')}</div>
</li>`;
}

const numbers = (from: number, to: number): Option[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: String(from + index), label: String(from + index) }));

function scaleOptions(context: PageContext, { typed: { type, scale }, errors }: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const icons: Option[] = ICONS.map((value) => ({ value, label: texts.icons[value] }));
  const isRating = getTraits(type).hasIcon;
  return html`<fieldset class="field"><legend class="field-legend">${texts.options}</legend>
<div class="field-row">${!isRating && selectField(context, { name: 'minVal', label: texts.min, value: scale.minVal, options: numbers(0, 1) })}
${selectField(context, { name: 'maxVal', label: texts.max, value: scale.maxVal, options: numbers(2, 10), error: errors.maxVal })}
${selectField(context, { name: 'icon', label: texts.icon, value: scale.icon, options: isRating ? icons : [{ value: '', label: texts.noIcon }, ...icons], error: errors.icon })}</div>
${textField(context, { name: 'minValueLabel', label: texts.minLabel, value: scale.minValueLabel, error: errors.minValueLabel })}
${textField(context, { name: 'maxValueLabel', label: texts.maxLabel, value: scale.maxValueLabel, error: errors.maxValueLabel })}
</fieldset>`;
}

type CheckGroup = {
  name: string;
  legend: string;
  error: string | undefined;
  options: readonly Option[];
  checked: readonly string[];
};

const checkGroup = (context: PageContext, { name, legend, error, options, checked }: CheckGroup): Html =>
  html`<fieldset class="field${error !== undefined && ' invalid'}"${attribute('aria-describedby', error !== undefined && `${name}-error`)}><legend class="field-legend">${legend}</legend>
${fieldError(context, name, error)}
<div class="choices columns">${options.map(
    ({ value, label }, index) =>
      html`<label class="choice"><input type="checkbox" name="${name}"${attribute('id', index === 0 && name)} value="${value}"${attribute('checked', checked.includes(value))}><span>${label}</span></label>`,
  )}</div></fieldset>`;

function fileOptions(context: PageContext, { typed: { files }, errors }: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  // Both names mean the same files: one box stands for those that are stored.
  const jpegTypes = files.types.filter((type) => type === 'JPG' || type === 'JPEG').join(' ');
  const checked = [...files.types, jpegTypes];
  const options = FILE_TYPES.flatMap((value) => {
    if (value === 'JPG') return [];
    return value === 'JPEG' ? { value: jpegTypes || 'JPEG', label: 'JPG, JPEG' } : { value, label: value };
  });
  return html`${checkGroup(context, { name: 'fileType', legend: texts.fileTypes, error: errors.fileType, options, checked })}
${textField(context, { name: 'maxAmount', label: texts.maxFiles, value: files.maxAmount, error: errors.maxAmount, isExact: true })}
${textField(context, { name: 'maxMegabytes', label: texts.maxSize, value: files.maxMegabytes, error: errors.maxMegabytes, isExact: true })}`;
}

function dateOptions(context: PageContext, { typed: { date }, errors }: QuestionForm): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const options = DATE_PARTS.map((value) => ({ value, label: texts[value] }));
  return html`${checkGroup(context, { name: 'datePart', legend: texts.dateParts, error: errors.datePart, options, checked: date.parts })}
${textField(context, { name: 'minDate', label: texts.minDate, value: date.min, error: errors.minDate, type: 'date' })}
${textField(context, { name: 'maxDate', label: texts.maxDate, value: date.max, error: errors.maxDate, type: 'date' })}`;
}

/** Returns the name of a service at which accounts are connected, or says which one is not set up. */
export const nameProvider = (context: PageContext, provider: ConnectProvider): string =>
  context.connectTitles[provider] ?? getQuestionsTexts(context).edit.providers[provider];

const providerOptions = (context: PageContext, { typed, errors }: QuestionForm): Html =>
  selectField(context, {
    name: 'provider',
    label: getQuestionsTexts(context).edit.provider,
    value: typed.provider,
    error: errors.provider,
    options: (['PROVIDER_ONE', 'PROVIDER_TWO'] as const).map((value) => ({
      value,
      label: nameProvider(context, value),
    })),
  });

const OPTIONS: Readonly<Record<OptionName, (context: PageContext, form: QuestionForm) => Html>> = {
  choices: choiceOptions,
  scale: scaleOptions,
  uploadFile: fileOptions,
  date: dateOptions,
  oauthConnect: providerOptions,
};
