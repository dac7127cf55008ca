/** Validates links from users and other services. */

/**
 * Whether a text is an absolute http or https URL. Texts with white space, control characters or backslashes are
 * rejected, because URL parsers drop or replace them.
 */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) && URL.canParse(text);
