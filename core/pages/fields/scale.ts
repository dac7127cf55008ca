/** Linear scales and ratings: radio buttons in a row, and one that clears the answer where none is required. */
import { pointOf } from '#core/schema/format.ts';
import type { Scale } from '#core/structure/question-model.ts';
import { attribute, type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { controlId, type Field, invalidMark, noAnswer } from './control.ts';
import { icon } from './icons.ts';

/** The radio buttons of a scale or rating. */
export function scaleControls(view: View, field: Field): Html {
  const { question } = field;
  const { scale } = question;
  if (!scale) return html``;
  const values = Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => scale.minVal + index);
  const isRating = question.type === 'RATING';
  return html`<div class="scale${isRating && ' rating'}">${values.map((value, index) =>
    point(view, field, { value, id: index === 0 ? controlId(question) : `${controlId(question)}-${value}` }),
  )}</div>${noAnswer(view, field)}`;
}

/** What the ends of a scale mean. */
export const scaleEnds = ({ minVal, maxVal, minValueLabel, maxValueLabel }: Scale): Html =>
  html`<span class="scale-ends">${minValueLabel && html`<span>${minVal} = ${minValueLabel}</span> `}${maxValueLabel && html`<span>${maxVal} = ${maxValueLabel}</span>`}</span>`;

function point(view: View, field: Field, { value, id }: { value: number; id: string }): Html {
  const { question, state } = field;
  const { scale, type } = question;
  const isRating = type === 'RATING';
  const label = isRating ? pointOf(view, value, scale?.maxVal ?? value) : undefined;
  return html`<label class="point"><input type="radio" id="${id}" name="q.${question.id}" value="${value}"${attribute('checked', state.values[0] === String(value))}${invalidMark(field)}${attribute('aria-label', label)}>${isRating ? icon(scale?.icon ?? 'star') : html`<span>${value}</span>`}</label>`;
}
