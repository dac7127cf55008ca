/** SINGLE_CHOICE, DROPDOWN and multiple choices, with the text of the other choice beside it. */
import { MAX_OTHER_TEXT } from '#core/responses/model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import {
  controlId,
  describedBy,
  type Field,
  findOtherChoice,
  invalidMark,
  isFull,
  isOtherBlank,
  noAnswer,
  type PageQuestion,
  placesText,
} from './control.ts';
import type { FieldType } from './type.ts';

export const multipleChoice: FieldType = {
  render: (context, field) => choiceControls(context, field, 'checkbox'),
  isSingle: () => false,
  hint: selectionHint,
  toValue: (ids) => [...ids],
  required: 'choice',
  invalid: ({ t }) => t.section.invalid.choice,
};

export const singleChoice: FieldType = {
  ...multipleChoice,
  render: (context, field) => choiceControls(context, field, 'radio'),
};

export const dropdown: FieldType = { ...multipleChoice, render: dropdownControl, isSingle: () => true };

/** Says how many choices to select; undefined if any number will do, or fewer are offered. */
function selectionHint({ t }: PageContext, { selection, choices = [] }: PageQuestion): string | undefined {
  const [min, max] = [selection?.min, selection?.max].map((bound) =>
    bound && bound <= choices.length ? bound : undefined,
  );
  return min || max ? t.section.expected.selections(min, max) : undefined;
}

/** Renders radio buttons for a single choice, checkboxes for several. */
function choiceControls(context: PageContext, field: Field, kind: Tile['kind']): Html {
  const { choices = [] } = field.question;
  if (choices.length === 0)
    return html`<p class="empty" id="${controlId(field.question)}">${context.t.section.noChoices}</p>`;
  return html`<div class="choices">${choices.map((choice, index) => tile(context, field, { choice, kind, index }))}</div>${kind === 'radio' && noAnswer(context, field)}`;
}

type Tile = { choice: Choice; kind: 'radio' | 'checkbox'; index: number };

function tile(context: PageContext, field: Field, { choice, kind, index }: Tile): Html {
  const { question, state } = field;
  // Errors link to the first control.
  const id = index === 0 ? controlId(question) : `${controlId(question)}-${index}`;
  const name = choice.name === '' ? context.t.section.other : choice.name;
  const places = placesText(context, field, choice);
  const control = html`<label class="choice"><input type="${kind}" id="${id}" name="q.${question.id}" value="${choice.id}"${attribute('checked', state.values.includes(choice.id))}${attribute('disabled', isFull(field, choice))}${invalidMark(field)}>
<span dir="auto">${name}${choice.description && html`<span class="choice-description" dir="auto">${choice.description}</span>`}${places !== undefined && html`<span class="choice-description">${places}</span>`}</span></label>`;
  return choice.isOther ? html`<div class="choice-other">${control}${otherText(context, field)}</div>` : control;
}

/** The text of the other choice. */
export const otherText = ({ t }: PageContext, field: Field): Html => {
  const { question, state } = field;
  return html`<input dir="auto" type="text" class="other-text" name="o.${question.id}" value="${state.other}" maxlength="${MAX_OTHER_TEXT}" aria-label="${t.section.otherText}" placeholder="${t.section.otherText}"${isOtherBlank(question, state) && invalidMark(field)} data-other>`;
};

/** Adds the places that are left to a name, where markup is not possible. */
const withPlaces = (name: string, places: string | undefined): string =>
  places === undefined ? name : `${name} (${places})`;

/** A drop-down; an empty entry clears the answer. */
function dropdownControl(context: PageContext, field: Field): Html {
  const { question, state } = field;
  const { choices = [] } = question;
  if (choices.length === 0)
    return html`<p class="empty" id="${controlId(question)}">${context.t.section.noChoices}</p>`;
  const other = findOtherChoice(question);
  return html`<select id="${controlId(question)}" name="q.${question.id}"${describedBy(field)}${invalidMark(field)}${attribute('aria-required', !field.isOptional && 'true')}>
<option value="">${context.t.section.choose}</option>
${choices.map(
  (choice) =>
    html`<option dir="auto" value="${choice.id}"${attribute('selected', state.values.includes(choice.id))}${attribute('disabled', isFull(field, choice))}${attribute('data-other-option', other?.id === choice.id)}>${withPlaces(choice.name === '' ? context.t.section.other : choice.name, placesText(context, field, choice))}</option>`,
)}
</select>${other && html`<div class="other-of-dropdown">${otherText(context, field)}</div>`}`;
}
