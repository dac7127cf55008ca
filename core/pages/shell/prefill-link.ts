/**
 * Answers in a link to a form: `/f/{formId}?q.<question>=<value>`, and `o.<question>` for the text of the other choice; a question
 * is named by its id or, whatever the case, by its name.
 * They may be personal, so they are in no log, and in no query of the sign-in page.
 */

/** The most bytes of the answers of a link, as they are encoded in it. */
export const MAX_PREFILL_BYTES = 8_192;

const isAnswer = ([name]: readonly [string, string]): boolean => /^[qo]\./.test(name);

/** The fields of the answers in a link or a posted form, in order. */
export const listPrefillFields = (fields: URLSearchParams): [string, string][] =>
  [...fields].filter((entry) => isAnswer(entry) && entry[1].trim() !== '');

/** Writes answers as the query of a link. */
export const toPrefillQuery = (fields: readonly [string, string][]): string => new URLSearchParams(fields).toString();

/** Whether answers are more than a link may carry. */
export const isPrefillTooLarge = (fields: readonly [string, string][]): boolean =>
  toPrefillQuery(fields).length > MAX_PREFILL_BYTES;

/**
 * Builds the address of the sign-in page that leads back to a path. The answers of a link move to the fragment, which
 * browsers do not send; the scripts of the page keep them until the person is back.
 */
export function signInHref(path: string): string {
  const [pathname = '', search = ''] = path.split('?');
  const query = new URLSearchParams(search);
  const answers = toPrefillQuery([...query].filter(isAnswer));
  if (answers === '') return `/sign-in?to=${encodeURIComponent(path)}`;
  const rest = new URLSearchParams([...query].filter((entry) => !isAnswer(entry))).toString();
  return `/sign-in?to=${encodeURIComponent(rest === '' ? pathname : `${pathname}?${rest}`)}#${answers}`;
}
