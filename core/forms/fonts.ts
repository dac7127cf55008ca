/** The fonts that a form may be dressed in: families under an open licence (contract section 4, "Fonts"). */

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

/** All fonts by name; `id` is what a form's dressing names. */
export const FONTS: readonly { id: string; name: string }[] = FAMILIES.map((name) => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
}));

const KNOWN: ReadonlySet<string> = new Set(FONTS.map((font) => font.id));

/** Whether a text is the id of a font that we have. */
export const isFont = (id: string): boolean => KNOWN.has(id);
