/**
 * The template literal of all pages: every value is escaped unless it is HTML itself. Templates are pure functions from
 * data to `Html`.
 */
import { html as honoHtml, raw } from 'hono/html';

/** A piece of HTML. */
export type Html = ReturnType<typeof raw>;

/** Values of a template: texts are escaped, arrays joined; false, null and undefined are left out. */
export type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/** Renders a template with escaped values. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const rendered = honoHtml(strings, ...values);
  if (rendered instanceof Promise) throw new Error('a template has a value that is a promise');
  return rendered;
}

/** Marks text as HTML: only text of the rich-text renderer, or written in this repository. */
export const trusted = (text: string): Html => raw(text);

/** Renders an attribute; it is left out when its value is undefined or false, and has no value when it is true. */
export function attribute(name: string, value: string | number | boolean | undefined): Html {
  if (value === undefined || value === false) return trusted('');
  return value === true ? trusted(` ${name}`) : html` ${trusted(name)}="${value}"`;
}
