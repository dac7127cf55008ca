/**
 * The dressing of a form: its colour, corrected until text in it can be read on the background (4.5:1, in light and dark
 * mode), and its fonts. Everything goes into one style element that the content security policy allows by its nonce.
 */
import { FONTS } from '#core/forms/fonts.ts';
import type { Dressing } from '#core/forms/model.ts';
import { assetNames } from './assets.ts';
import { type Html, html, trusted } from './html.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** The page in light mode; a little darker than the white of its surfaces. */
const LIGHT: Rgb = [247, 246, 243];
/** The surface in dark mode, lighter than the page. `style/tokens.css` has the same colours. */
const DARK: Rgb = [29, 33, 38];
const MIN_CONTRAST = 4.5;

/** Renders the style element of a dressing. */
export function renderDressing({ color, headerFont, questionFont, textFont }: Dressing, nonce: string): Html {
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
  )}<style nonce="${nonce}">${trusted(`${[...faces].join('')}:root{${variables.join(';')}}`)}</style>`;
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
  const { light, dark } = readableColors(color);
  return [`--accent-light:${light}`, `--accent-dark:${dark}`];
}

/** A colour as it is shown on light and on dark pages, as `#rrggbb`. */
export function readableColors(color: string): { light: string; dark: string } {
  const rgb = parseColor(color);
  return { light: formatColor(ensureContrast(rgb, LIGHT)), dark: formatColor(ensureContrast(rgb, DARK)) };
}

const parseColor = (color: string): Rgb => {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color;
  const part = (index: number): number => Number.parseInt(digits.slice(index, index + 2), 16) || 0;
  return [part(1), part(3), part(5)];
};

const formatColor = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Mixes a colour with black or white in steps until it has enough contrast to a background. */
export function ensureContrast(rgb: Rgb, background: Rgb): Rgb {
  const target: Rgb = luminance(background) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = rgb.map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * share));
    const candidate: Rgb = [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0];
    if (contrastRatio(candidate, background) >= MIN_CONTRAST) return candidate;
  }
  return target;
}

/** Calculates the contrast of two colours by WCAG 2. */
export function contrastRatio(a: Rgb, b: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
