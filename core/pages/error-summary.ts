/** Errors of a form: a summary at the top that takes the focus, and the same words beside each field. */
import { type Html, html } from './html.ts';
import type { View } from './view.ts';

/** An error of a field; `target` is the id of the control that the summary links to. */
export type FieldError = { target: string; message: string };

/** The title of a page: one with errors says so first. */
export const titleWith = ({ t }: View, title: string, hasErrors: boolean): string =>
  hasErrors ? t.errors.prefix + title : title;

/** The summary; nothing without errors. */
export const errorSummary = ({ t }: View, errors: readonly FieldError[]): Html | undefined =>
  errors.length === 0
    ? undefined
    : html`<div class="error-summary" role="alert" tabindex="-1" data-error-summary aria-labelledby="error-summary-title">
<h2 id="error-summary-title">${t.errors.title}</h2>
<ul>${errors.map(({ target, message }) => html`<li><a href="#${target}">${message}</a></li>`)}</ul>
</div>`;

/** The error beside a field; the id is for `aria-describedby`. */
export const fieldError = ({ t }: View, id: string, message: string | undefined): Html | undefined =>
  message === undefined
    ? undefined
    : html`<p class="error" id="${id}-error"><span class="visually-hidden">${t.errors.prefix}</span>${message}</p>`;
