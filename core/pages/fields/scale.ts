/** Linear scales and ratings: radio buttons in a row, and one that clears the answer where none is required. */
import type { ICONS, Scale } from '#core/structure/question-model.ts';
import { attribute, type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { controlId, type Field, invalidMark } from './control.ts';

const SYMBOLS: Readonly<Record<(typeof ICONS)[number], string>> = {
  star: '★',
  heart: '♥',
  'thumbs-up': '👍',
  smile: '🙂',
  flame: '🔥',
  trophy: '🏆',
  lightbulb: '💡',
  check: '✓',
  flag: '⚑',
  gift: '🎁',
  leaf: '🍃',
  sun: '☀',
};

/** The radio buttons of a scale or rating. */
export function scaleControls(view: View, field: Field): Html {
  const { question } = field;
  const { scale } = question;
  if (!scale) return html``;
  const values = Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => scale.minVal + index);
  const isRating = question.type === 'RATING';
  return html`${labels(scale)}<div class="scale${isRating && ' rating'}">${values.map((value, index) =>
    point(view, field, { value, id: index === 0 ? controlId(question) : `${controlId(question)}-${value}` }),
  )}</div>${!question.required && noAnswer(view, field)}`;
}

/** What the ends of the scale mean. */
function labels({ minVal, maxVal, minValueLabel, maxValueLabel }: Scale): Html | undefined {
  if (!minValueLabel && !maxValueLabel) return undefined;
  return html`<p class="hint scale-labels">${minValueLabel && html`<span>${minVal} = ${minValueLabel}</span> `}${maxValueLabel && html`<span>${maxVal} = ${maxValueLabel}</span>`}</p>`;
}

function point({ t }: View, field: Field, { value, id }: { value: number; id: string }): Html {
  const { question, state } = field;
  const { scale, type } = question;
  const symbol = type === 'RATING' ? SYMBOLS[scale?.icon ?? 'star'] : undefined;
  const label = symbol ? t.section.ratingOf(value, scale?.maxVal ?? value) : String(value);
  return html`<label class="point"><input type="radio" id="${id}" name="q.${question.id}" value="${value}"${attribute('checked', state.values[0] === String(value))}${invalidMark(field)}${attribute('aria-label', symbol && label)}><span${attribute('aria-hidden', symbol !== undefined && 'true')}>${symbol ?? label}</span></label>`;
}

const noAnswer = ({ t }: View, { question, state }: Field): Html =>
  html`<label class="no-answer"><input type="radio" name="q.${question.id}" value=""${attribute('checked', state.values.length === 0)}> ${t.section.noAnswer}</label>`;
