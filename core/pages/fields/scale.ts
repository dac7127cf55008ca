/** LINEAR_SCALE and RATING: radio buttons in a row, and one that clears the answer where none is required. */
import { formatScalePoint } from '#core/schema/format.ts';
import type { ICONS, Scale } from '#core/structure/types/scale.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, type Field, invalidMark, noAnswer } from './control.ts';
import type { FieldType } from './type.ts';

export const linearScale: FieldType = {
  render: (context, field) => scaleControls(context, field, false),
  isSingle: () => false,
  hint: (_, { scale }) => (scale?.minValueLabel || scale?.maxValueLabel ? scaleEnds(scale) : undefined),
  toValue: ([first]) => Number(first),
  required: 'choice',
  invalid: ({ t }, { scale }) => t.section.invalid.scale(scale?.minVal ?? 0, scale?.maxVal ?? 0),
};

export const rating: FieldType = {
  ...linearScale,
  render: (context, field) => scaleControls(context, field, true),
};

/** Renders the radio buttons of a scale or rating. */
function scaleControls(context: PageContext, field: Field, isRating: boolean): Html {
  const { question } = field;
  const { scale } = question;
  if (!scale) return html``;
  const values = Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => scale.minVal + index);
  return html`<div class="scale${isRating && ' rating'}">${values.map((value, index) =>
    point(context, field, {
      value,
      isRating,
      id: index === 0 ? controlId(question) : `${controlId(question)}-${value}`,
    }),
  )}</div>${noAnswer(context, field)}`;
}

/** Renders what the ends of a scale mean. */
const scaleEnds = ({ minVal, maxVal, minValueLabel, maxValueLabel }: Scale): Html =>
  html`<span class="scale-ends">${minValueLabel && html`<span>${minVal} = <bdi>${minValueLabel}</bdi></span> `}${maxValueLabel && html`<span>${maxVal} = <bdi>${maxValueLabel}</bdi></span>`}</span>`;

type Point = { value: number; isRating: boolean; id: string };

function point(context: PageContext, field: Field, { value, isRating, id }: Point): Html {
  const { question, state } = field;
  const { scale } = question;
  const label = isRating ? formatScalePoint(context, value, scale?.maxVal ?? value) : undefined;
  return html`<label class="point"><input type="radio" id="${id}" name="q.${question.id}" value="${value}"${attribute('checked', state.values[0] === String(value))}${invalidMark(field)}${attribute('aria-label', label)}>${isRating ? icon(scale?.icon ?? 'star') : html`<span>${value}</span>`}</label>`;
}

// The icons of ratings: outlines that are filled up to the chosen point. They are shapes in the colour of the text, so
// they look alike in every system and follow dark mode and forced colours.

type Paths = {
  /** Filled when its point is chosen. */
  shape: string;
  /** Lines on the shape, which are drawn in the colour of the page when it is filled. */
  inner?: string;
  /** Lines beside the shape. */
  outer?: string;
};

const CIRCLE = 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z';

/** In a square of 24 units. */
const PATHS: Readonly<Record<(typeof ICONS)[number], Paths>> = {
  star: { shape: 'M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.2L12 17.1l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8z' },
  heart: { shape: 'M12 20.5C6 16.2 3 12.9 3 9.2A4.7 4.7 0 0 1 12 7a4.7 4.7 0 0 1 9 2.2c0 3.7-3 7-9 11.3z' },
  'thumbs-up': {
    shape: 'M7 11l4-8a2.6 2.6 0 0 1 2.6 2.6V9H19a2 2 0 0 1 2 2.4l-1.4 7A2 2 0 0 1 17.6 20H7zM3 11h4v9H3z',
    inner: 'M7 11v9',
  },
  smile: { shape: CIRCLE, inner: 'M8.5 14.2a4.2 4.2 0 0 0 7 0M9 9.2v.6M15 9.2v.6' },
  flame: {
    shape:
      'M12 2.5c.7 3.8 5.8 6.5 5.8 11.6a5.8 5.8 0 0 1-11.6 0c0-2.5 1.2-4.2 2.6-5.6.2 1.7.8 2.7 1.9 3.3-.4-3.2-.2-6.2 1.3-9.3z',
  },
  trophy: {
    shape: 'M7 4h10v5.5a5 5 0 0 1-10 0zM8 20h8l-1-2.5H9z',
    outer: 'M7 6H3.5c0 3.5 1.2 5.2 3.7 5.5M17 6h3.5c0 3.5-1.2 5.2-3.7 5.5M12 14.5v3',
  },
  lightbulb: { shape: 'M9 17c0-2.2-3-3.6-3-7.5a6 6 0 0 1 12 0c0 3.9-3 5.3-3 7.5z', outer: 'M9.5 20.5h5' },
  check: { shape: CIRCLE, inner: 'M8 12.3l2.8 2.7L16 9.5' },
  flag: { shape: 'M6 4h12.5l-3 4.5 3 4.5H6z', outer: 'M6 3v18' },
  gift: {
    shape: 'M4 8h16v4H4zM5.5 12h13v8.5h-13z',
    inner: 'M12 8v12.5M5.5 12h13',
    outer: 'M12 8C9 8 7.5 7 7.5 5.5S11 3 12 8zM12 8c3 0 4.5-1 4.5-2.5S13 3 12 8z',
  },
  leaf: {
    shape: 'M20 4c1 9-2.5 15-9 15-4 0-6-2.7-6-5.8C5 7 11 5.5 20 4z',
    inner: 'M7 17.5c1.5-3 3.5-5 6.5-6.5',
    outer: 'M4 21l2-3',
  },
  sun: {
    shape: 'M16.5 12a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
    outer:
      'M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  },
};

/** Renders an icon, hidden from screen readers: the label of its control says what it means. */
export function icon(name: (typeof ICONS)[number]): Html {
  const { shape, inner, outer } = PATHS[name];
  const path = (part: string, data: string | undefined): Html | undefined =>
    data === undefined ? undefined : html`<path class="icon-${part}" d="${data}"/>`;
  return html`<svg class="rating-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${path('outer', outer)}${path('shape', shape)}${path('inner', inner)}</svg>`;
}
