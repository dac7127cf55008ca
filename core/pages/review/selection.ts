/** The rows of the table, or of the list of drafts, that are selected, by the field `r`: as many as a page has. */
import { isId } from '#core/schema/schema.ts';
import { type Html, html } from '../shell/html.ts';

/** The most rows that are selected at once. */
export const MAX_SELECTED = 100;

/** Reads the ids of the selected responses. */
export const readSelected = (fields: URLSearchParams): string[] =>
  [...new Set(fields.getAll('r').filter(isId))].slice(0, MAX_SELECTED);

/** Writes the selected responses as a query that continues one, such as `&r=…&r=…`. */
export const selectedQuery = (ids: readonly string[]): string => ids.map((id) => `&r=${id}`).join('');

/** Renders the selected responses as hidden fields. */
export const hiddenSelected = (ids: readonly string[]): Html =>
  html`${ids.map((id) => html`<input type="hidden" name="r" value="${id}">`)}`;

/** The address of the list of drafts. */
export const draftsHref = (formId: string): string => `/review/${formId}/drafts`;
