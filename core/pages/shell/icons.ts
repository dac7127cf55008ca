/** The icons of the pages: drawn in the colour of the text, and left out by screen readers, as the control has a name. */
import { type Html, html } from './html.ts';

/** The strokes of each icon, in a square of 24. */
const STROKES = {
  add: 'M12 5v14M5 12h14',
  check: 'm5 12.5 5 5 9-11',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  close: 'm6 6 12 12M18 6 6 18',
  down: 'M12 5v14m6-6-6 6-6-6',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  handle: 'M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01',
  info: 'M12 11v6m0-10h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  open: 'm7 10 5 5 5-5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8.5a8 8 0 0 1 16 0',
  redo: 'm15 14 5-5-5-5M20 9H9a5 5 0 0 0 0 10h3',
  undo: 'M9 14 4 9l5-5M4 9h11a5 5 0 0 1 0 10h-3',
  up: 'M12 19V5M6 11l6-6 6 6',
} as const;

export type IconName = keyof typeof STROKES;

export const ICON_NAMES = Object.keys(STROKES) as IconName[];

/** Renders an icon as an inline SVG, which screen readers skip. */
export const icon = (name: IconName): Html =>
  html`<svg class="symbol" viewBox="0 0 24 24" aria-hidden="true"><path d="${STROKES[name]}"/></svg>`;
