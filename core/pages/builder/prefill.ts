/** The part of the share page that makes a prefilled link: a field for each question that a link can answer. */

import { formatScalePoint } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { isFullDate } from '#core/structure/types/date.ts';
import { getTraits, isChoiceType } from '#core/structure/types/traits.ts';
import { listDateParts } from '../fields/date.ts';
import { canBePrefilled } from '../fields/prefill.ts';
import type { PageContext } from '../shell/context.ts';
import { copyButton, errorSummary, selectField, textArea, textField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { isPrefillTooLarge, MAX_PREFILL_BYTES, toPrefillQuery } from '../shell/prefill-link.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { buildHref } from './frame.ts';

/** The posted values of a link, and the ids of the questions that they do not answer. */
export type PrefillForm = { fields: readonly [string, string][]; leftOut: readonly string[] };

/** Whether the form asks for an answer; the order of a ranking is only read from links that are written by hand. */
const isAsked = (question: Question): boolean => canBePrefilled(question) && !getTraits(question.type).isOrdered;

/** Renders the form that makes a prefilled link of a form; with posted values also the link, or what is wrong with them. */
export function prefillForm(context: PageContext, structure: Structure, form: PrefillForm): Html {
  const texts = getBuilderTexts(context).share;
  const { fields, leftOut } = form;
  const errors = leftOut.map((id) => ({ target: `q.${id}`, message: texts.prefillInvalid }));
  const isTooLarge = isPrefillTooLarge(fields);
  const sections = structure.sections.filter(({ questions }) => questions.some(isAsked));
  return html`<section class="card section-heading" id="prefill"><h2>${texts.prefill}</h2>
<p class="hint">${texts.prefillHint}</p>
${errorSummary(context, isTooLarge ? [{ target: 'prefill', message: texts.prefillTooLarge(MAX_PREFILL_BYTES) }] : errors)}
${fields.length > 0 && errors.length === 0 && !isTooLarge && prefilledLink(context, structure, fields)}
${
  sections.length > 0 &&
  html`<details${attribute('open', fields.length > 0)}><summary>${texts.prefillFields}</summary>
<form method="post" action="${buildHref(structure.formId)}/share" data-disposable>
${sections.map(
  ({ id, questions }) => html`<h3 dir="auto">${sectionTitle(structure, id)}</h3>
${questions.filter(isAsked).map((question) => questionControl(context, structure, question, form))}`,
)}
<p class="actions"><button>${texts.prefillSubmit}</button></p></form></details>`
}</section>`;
}

/** Renders the link; questions with a name are in it by their name, so that people can read and change it. */
function prefilledLink(context: PageContext, structure: Structure, fields: PrefillForm['fields']): Html {
  const named = fields.map(([field, value]): [string, string] => {
    const id = field.slice(2);
    return [`${field.slice(0, 2)}${findQuestion(structure, id)?.question.name ?? id}`, value];
  });
  const link = `${context.publicUrl}/f/${structure.formId}?${toPrefillQuery(named)}`;
  return html`<div class="notice" role="status" tabindex="-1" data-error-summary><p class="share-link"><a class="address" href="${link}">${link}</a>
${copyButton(context, { text: link })}</p></div>`;
}

/** Renders the control of a question: what is typed becomes the value in the link. */
function questionControl(
  context: PageContext,
  structure: Structure,
  question: Question,
  { fields, leftOut }: PrefillForm,
): Html {
  const { type, title, date, scale } = question;
  const name = `q.${question.id}`;
  const values = fields.filter(([field]) => field === name).map(([, value]) => value);
  const error = leftOut.includes(question.id) ? getBuilderTexts(context).share.prefillInvalid : undefined;
  const control = { name, label: title, error, value: values[0] ?? '' };
  const none = { value: '', label: context.t.section.noAnswer };
  if (scale) {
    const points = Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => scale.minVal + index);
    const label = (point: number): string =>
      getTraits(type).hasIcon ? formatScalePoint(context, point, scale.maxVal) : String(point);
    const options = points.map((point) => ({ value: String(point), label: label(point) }));
    return selectField(context, { ...control, options: [none, ...options] });
  }
  if (isChoiceType(type)) {
    const options = listChoices(structure, question.id).map((choice) => ({
      value: choice.id,
      label: choiceName(choice),
    }));
    if (getTraits(type).selectsOne) return selectField(context, { ...control, options: [none, ...options] });
    return html`<fieldset class="field"><legend class="field-legend" dir="auto" id="${name}">${title}</legend>
<div class="choices">${options.map(
      ({ value, label }) =>
        html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${attribute('checked', values.includes(value))}><span dir="auto">${label}</span></label>`,
    )}</div></fieldset>`;
  }
  if (type === 'LONG_TEXT') return textArea(context, control);
  if (!date) return textField(context, control);
  const parts = { y: 'YYYY', m: 'MM', d: 'DD' };
  const hint = isFullDate(date)
    ? undefined
    : listDateParts(date)
        .map((part) => parts[part])
        .join('-');
  return textField(context, { ...control, hint, type: isFullDate(date) ? 'date' : 'text' });
}
