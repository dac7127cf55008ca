/** The icons of the types of questions: drawn once on a page, and shown in each of its rows. */
import { QUESTION_TYPES, type QuestionType } from '#core/structure/types/traits.ts';
import { type Html, html } from '../shell/html.ts';

/** The strokes of each icon, in a square of 24. */
const STROKES: Readonly<Record<QuestionType, string>> = {
  SHORT_TEXT: 'M4 9h16M4 15h9',
  LONG_TEXT: 'M4 6h16M4 10h16M4 14h16M4 18h9',
  SINGLE_CHOICE: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  MULTIPLE_CHOICE: 'M5 5h14v14H5zm3.5 7 2.5 2.5 4.5-5',
  DROPDOWN: 'M4 7h16v10H4zm9 4 2 2 2-2',
  DETAILED_MULTIPLE_CHOICE: 'M4 5h6v6H4zm0 9h6v6H4zm9-7h7m-7 2.5h5m-5 6.5h7m-7 2.5h5',
  DATE: 'M5 6h14v14H5zm0 4h14M9 3.5v4m6-4v4',
  UPLOAD_FILE: 'M12 15V4M8 8l4-4 4 4M5 15v5h14v-5',
  LINEAR_SCALE: 'M3 12h18M6 9v6m6-6v6m6-6v6',
  RATING: 'm12 4 2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z',
  RANKING: 'M10 6h10M10 12h10M10 18h10M4 5.5l1.5-1V9M4 14.5h2.5L4 18.5h2.5',
  OAUTH_CONNECT: 'm10 14 4-4m-5.5 1-2 2a3 3 0 0 0 4.5 4.5l2-2m2.5-2.5 2-2A3 3 0 0 0 13 6.5l-2 2',
  HYPERLINK: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c3 2.5 3 13.5 0 16m0-16c-3 2.5-3 13.5 0 16',
};

/** Draws the icons, out of sight. */
export const drawTypeIcons = (): Html =>
  html`<svg class="drawn-icons" aria-hidden="true">${QUESTION_TYPES.map((type) => html`<symbol id="type-${type}" viewBox="0 0 24 24"><path d="${STROKES[type]}"/></symbol>`)}</svg>`;

/** Shows the icon of a type, which screen readers skip. */
export const typeIcon = (type: QuestionType): Html =>
  html`<svg class="symbol" aria-hidden="true"><use href="#type-${type}"/></svg>`;
