/** Texts of one line, such as titles, names and labels; and whether a text has a visible character. */
import { because } from './check-faults.ts';
import { text } from './schema.ts';

/** Control characters, line and paragraph separators, and controls of the writing direction. */
const NOT_IN_A_LINE = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069`;
const IN_A_LINE = new RegExp(`^[^${NOT_IN_A_LINE}]*$`, 'u');

/** The fault of a text that is not one line. */
export const LINE_FAULT =
  'must be one line without control characters, line separators and controls of the writing direction';

/** Whether a text is one line: without the characters that break it or reorder the text around it. */
export const isLine = (value: string): boolean => IN_A_LINE.test(value);

const RUN_NOT_IN_A_LINE = new RegExp(`[${NOT_IN_A_LINE}]+`, 'gu');

/** Makes a text one line: each run of characters that break it, or reorder the text around it, becomes a space. */
export const toLine = (value: string): string => value.replace(RUN_NOT_IN_A_LINE, ' ');

/** Whether a text has a character that is neither white space, a control or format character, nor otherwise invisible. */
export const isVisible = (value: string): boolean => /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(value);

/**
 * Builds the schema of a text of one line with `min` to `max` Unicode code points; unless it may be empty, it must have a
 * visible character.
 */
export const line = (min: number, max: number) =>
  text(min, max)
    .refine(isLine, because(LINE_FAULT, 'not_line'))
    .refine(
      (value) => min === 0 || value === '' || isVisible(value),
      because('must contain a visible character', 'not_visible'),
    )
    .meta({ minLength: min, maxLength: max, pattern: `^[^${NOT_IN_A_LINE}]${min === 0 ? '*' : '+'}$` });

// Validates links from users and other services.

/**
 * Whether a text is an absolute http or https URL. Texts with white space, control characters or backslashes are
 * rejected, because URL parsers drop or replace them.
 */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) && URL.canParse(text);

/** Escapes a text for the content and quoted attributes of HTML and XML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
