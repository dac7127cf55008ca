/** The texts of the scripts, which the server writes into the page in the language of the reader. */

export type Texts = Record<string, string>;

/** Replaces `{name}` in a text by values. */
export const fill = (text = '', values: Record<string, string | number> = {}): string =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
