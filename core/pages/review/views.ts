/** The views of a form: a list, a form for a new one, and the page on which one is changed. */
import { MAX_VIEW_TITLE } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, fieldError } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnChoice } from './columns.ts';
import type { TypedView, ViewErrors } from './view-fields.ts';

/** A form of a view, with the error of its title. */
type ViewFields = Pick<TypedView, 'title' | 'columns'> & { error: ViewErrors['title'] };

export const summary = (context: PageContext, { error }: ViewFields): Html | undefined =>
  errorSummary(context, error ? [{ target: 'view-title', message: getReviewTexts(context).edit[error] }] : []);

export function viewFields(
  context: PageContext,
  structure: Structure,
  { title, columns, error }: ViewFields,
  hint?: string,
): Html {
  const { edit } = getReviewTexts(context);
  const message = error && edit[error];
  const describedBy = [hint && 'view-title-hint', message && 'view-title-error'].filter(Boolean).join(' ');
  return html`<div class="field"><label for="view-title">${edit.name}</label>
${hint && html`<p class="hint" id="view-title-hint">${hint}</p>`}
${fieldError(context, 'view-title', message)}
<input dir="auto" id="view-title" name="title" maxlength="${MAX_VIEW_TITLE}" autocomplete="off" value="${title}"${attribute('aria-describedby', describedBy || undefined)}${attribute('aria-invalid', message ? 'true' : undefined)}></div>
${columnChoice(context, structure, { legend: edit.choose, chosen: new Set(columns) })}`;
}
