/**
 * The reference of a response: the last eight digits of its id in two groups, which people can read out. Its respondent
 * and its reviewers see the same one. Two responses to a form can share it by chance.
 */

const DIGITS = 8;

/** Formats the reference of a response: `3F2A-91BC`. */
export const formatReference = (responseId: string): string =>
  responseId.slice(-DIGITS).toUpperCase().replace(/^.{4}/, '$&-');

/**
 * Parses a text that may be a reference, or the id of a response, in any case and with or without dashes and spaces.
 * Returns the end of the ids that it stands for, in hexadecimal digits; undefined for any other text.
 */
export function parseReference(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\u2010-\u2015-]/g, '').toLowerCase();
  return /^(?:[0-9a-f]{8}|[0-9a-f]{32})$/.test(digits) ? digits : undefined;
}

/** Whether a parsed reference is that of a response. */
export const isReferenceOf = (reference: string, responseId: string): boolean =>
  responseId.replaceAll('-', '').endsWith(reference);
