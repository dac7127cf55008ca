/** The fonts available for forms: families under an open licence. */

const FAMILIES = [
  'Atkinson Hyperlegible',
  'IBM Plex Sans',
  'Inter',
  'Lato',
  'Lora',
  'Merriweather',
  'Montserrat',
  'Noto Sans',
  'Noto Sans TC',
  'Noto Serif',
  'Noto Serif TC',
  'Nunito',
  'Open Sans',
  'Playfair Display',
  'Poppins',
  'Roboto',
  'Roboto Slab',
  'Source Sans 3',
  'Source Serif 4',
  'Work Sans',
] as const;

/** All fonts, sorted by name; a form's `dressing` refers to them by `id`. */
export const FONTS: readonly { id: string; name: string }[] = FAMILIES.map((name) => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
}));

const FONT_IDS: ReadonlySet<string> = new Set(FONTS.map((font) => font.id));

/** Whether a text is the id of an available font. */
export const isFont = (id: string): boolean => FONT_IDS.has(id);
