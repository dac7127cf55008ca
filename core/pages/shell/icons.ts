/** The icons of the pages: drawn in the colour of the text, and left out by screen readers, as the control has a name. */
import { type Html, html } from './html.ts';

/** The strokes of each icon, in a square of 24. */
const STROKES = {
  add: 'M12 5v14M5 12h14',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zm0 7h7a3.5 3.5 0 0 1 0 7H7z',
  check: 'm5 12.5 5 5 9-11',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  close: 'm6 6 12 12M18 6 6 18',
  down: 'M12 5v14m6-6-6 6-6-6',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  handle: 'M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01',
  heading: 'M6 5v14M18 5v14M6 12h12',
  info: 'M12 11v6m0-10h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  link: 'm10 14 4-4m-5.5 1-2 2a3 3 0 0 0 4.5 4.5l2-2m2.5-2.5 2-2A3 3 0 0 0 13 6.5l-2 2',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  open: 'm7 10 5 5 5-5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8.5a8 8 0 0 1 16 0',
  redo: 'm15 14 5-5-5-5M20 9H9a5 5 0 0 0 0 10h3',
  strike:
    'M4 12h16M16.5 7.5C16 5.8 14.3 5 12 5 9.5 5 7.5 6.2 7.5 8.3 7.5 10 8.7 11 12 12m4.3 2c.5 2.9-1.3 5-4.3 5-2.6 0-4.4-1-5-3',
  underline: 'M7 4v7a5 5 0 0 0 10 0V4M5 20h14',
  undo: 'M9 14 4 9l5-5M4 9h11a5 5 0 0 1 0 10h-3',
  up: 'M12 19V5M6 11l6-6 6 6',
} as const;

export type IconName = keyof typeof STROKES;

export const ICON_NAMES = Object.keys(STROKES) as IconName[];

/** Renders an icon as an inline SVG, which screen readers skip. */
export const icon = (name: IconName): Html =>
  html`<svg class="symbol" viewBox="0 0 24 24" aria-hidden="true"><path d="${STROKES[name]}"/></svg>`;
