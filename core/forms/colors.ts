/** Colours that authors choose, corrected until text in them can be read on a background: 4.5:1. Pure. */

export type Rgb = readonly [red: number, green: number, blue: number];

const MIN_CONTRAST = 4.5;

/** Corrects a colour, `#rgb` or `#rrggbb`, for a light and for a dark background. Returns both as `#rrggbb`. */
export function readableColors(color: string, { light, dark }: { light: Rgb; dark: Rgb }) {
  const rgb = parseColor(color);
  return { light: formatColor(ensureContrast(rgb, light)), dark: formatColor(ensureContrast(rgb, dark)) };
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
