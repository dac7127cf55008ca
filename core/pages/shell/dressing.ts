/**
 * The dressing of a form: its colour, corrected until text in it can be read on the background (4.5:1, in light and dark
 * mode), and its fonts. Everything goes into one style element that the content security policy allows by its nonce.
 */
import { type Rgb, readableColors } from '#core/forms/colors.ts';
import { FONTS } from '#core/forms/fonts.ts';
import type { Dressing } from '#core/forms/settings.ts';
import { assetNames } from './assets.ts';
import { type Html, html, trusted } from './html.ts';

/** The page in light mode; a little darker than the white of its surfaces. */
const LIGHT: Rgb = [247, 246, 243];
/** The surface in dark mode, lighter than the page. `style/tokens.css` has the same colours. */
const DARK: Rgb = [29, 33, 38];

/** Renders the style element of a dressing. `scope`: the selector of what is in it, by default the whole page. */
export function renderDressing(
  { color, headerFont, questionFont, textFont }: Dressing,
  nonce: string,
  scope: ':root' | '.canvas' = ':root',
): Html {
  const fonts = { header: headerFont, question: questionFont, text: textFont };
  const usedFonts = Object.entries(fonts).flatMap(([use, id]) => {
    const font = FONTS.find((candidate) => candidate.id === id);
    return font ? [{ use, ...font }] : [];
  });
  const faces = new Set(usedFonts.map(({ id, name }) => buildFontFaces(id, name)));
  const variables = [
    ...(color ? colorVariables(color) : []),
    ...usedFonts.map(({ use, name, id }) => `--font-${use}:${buildFontFamily(name, id)}`),
  ];
  if (variables.length === 0) return trusted('');
  const preloaded = new Set(
    usedFonts.flatMap(({ use, id }) => assetNames()[`${id}-${use === 'text' ? 400 : 700}.woff2`] ?? []),
  );
  // Only numbers, and names from our own list, are written here.
  return html`${[...preloaded].map(
    (file) => html`<link rel="preload" as="font" type="font/woff2" href="/assets/${file}" crossorigin>`,
  )}<style nonce="${nonce}">${trusted(`${[...faces].join('')}${scope}{${variables.join(';')}}`)}</style>`;
}

/**
 * Renders the style element of a list in which each font shows itself, by the class `font-<id>`. Its families have names of
 * their own, so a browser loads a font only for the list, once it is open.
 */
export const renderFontSamples = (nonce: string): Html => {
  const rules = FONTS.map(({ id, name }) => {
    const file = assetNames()[`${id}-400.woff2`];
    const face = file
      ? `@font-face{font-family:"sample ${id}";font-display:swap;src:url(/assets/${file}) format("woff2")}`
      : '';
    return `${face}[open] .font-${id}{font-family:"sample ${id}",${buildFontFamily(name, id)}}`;
  });
  return html`<style nonce="${nonce}" data-font-samples>${trusted(rules.join(''))}</style>`;
};

const buildFontFamily = (name: string, id: string): string =>
  `"${name}",${/serif|lora|merriweather|playfair|slab/.test(id) && id !== 'source-sans-3' ? 'var(--serif)' : 'var(--sans)'}`;

/** Builds the faces of a font that we serve; other fonts, such as Chinese ones, come from the reader's system. */
const buildFontFaces = (id: string, name: string): string =>
  [400, 700]
    .flatMap((weight) => {
      const file = assetNames()[`${id}-${weight}.woff2`];
      // With `optional` a font that arrives late is used on the next page, so that text never moves.
      return file
        ? [
            `@font-face{font-family:"${name}";font-weight:${weight};font-display:optional;src:url(/assets/${file}) format("woff2")}`,
          ]
        : [];
    })
    .join('');

function colorVariables(color: string): string[] {
  const { light, dark } = pageColors(color);
  return [`--accent-light:${light}`, `--accent-dark:${dark}`];
}

/** A colour as it is shown on light and on dark pages, as `#rrggbb`. */
export const pageColors = (color: string) => readableColors(color, { light: LIGHT, dark: DARK });
