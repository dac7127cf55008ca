/** The views of a form: a list, a form for a new one, and the page on which one is changed. */
import type { Gate } from '#core/forms/gate.ts';
import { MAX_VIEW_TITLE } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { SavedView } from '#core/views/model.ts';
import type { PageContext } from '../shell/context.ts';
import { conflictNotice, errorSummary, fieldError, type Overwritten, pageTitle } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnChoice, listQuestionIds, listViewColumns } from './columns.ts';
import { reviewLayout } from './header.ts';
import { hashView, type TypedView, type ViewErrors } from './view-fields.ts';

type ViewsPage = {
  gate: Gate;
  structure: Structure;
  views: readonly SavedView[];
  /** The hidden field `id` of the form for a new view. */
  newId: string;
  typed?: TypedView;
  errors?: ViewErrors;
};

/** Renders the list with the form for a new view. */
export function renderViewsPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, views, newId, typed, errors = {} }: ViewsPage,
): Html {
  const { edit } = getReviewTexts(context);
  const fields = { ...(typed ?? { title: '', columns: listQuestionIds(structure) }), error: errors.title };
  return reviewLayout(context, head, {
    current: 'views',
    title: pageTitle(context, edit.title, errors.title !== undefined),
    width: 'wide',
    main: html`${summary(context, fields)}
<div class="review-title"><h1>${edit.title}</h1></div>
<p class="lead">${edit.lead}</p>
${
  views.length === 0
    ? html`<div class="empty"><p>${edit.none}</p></div>`
    : html`<ul class="rows">${views.map((savedView) => viewRow(context, gate, structure, savedView))}</ul>`
}
<section class="card new-view" id="new" aria-labelledby="new-view"><h2 id="new-view">${edit.new}</h2>
<form method="post" action="/review/${gate.formId}/views" data-once><input type="hidden" name="id" value="${newId}">
${viewFields(context, structure, fields, edit.nameHint)}
<div class="actions"><button>${edit.create}</button></div>
</form></section>`,
  });
}

function viewRow(context: PageContext, { formId }: Gate, structure: Structure, savedView: SavedView): Html {
  const { edit } = getReviewTexts(context);
  const name = html`<span class="visually-hidden"> ${savedView.title}</span>`;
  return html`<li><div class="row-text"><h2>${savedView.title}</h2>
<p class="muted small">${edit.columns(listViewColumns(structure, savedView).length)}${savedView.locked && ` · ${edit.locked}`}</p></div>
<div class="row-side"><a class="button secondary" href="/review/${formId}?view=${savedView.id}">${edit.show}${name}</a><a class="button secondary" href="/review/${formId}/views/${savedView.id}">${edit.change}${name}</a></div></li>`;
}

/** A form of a view, with the error of its title. */
type ViewFields = TypedView & { error: ViewErrors['title'] };

const summary = (context: PageContext, { error }: ViewFields): Html | undefined =>
  errorSummary(context, error ? [{ target: 'view-title', message: getReviewTexts(context).edit[error] }] : []);

function viewFields(
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
<input id="view-title" name="title" maxlength="${MAX_VIEW_TITLE}" autocomplete="off" value="${title}"${attribute('aria-describedby', describedBy || undefined)}${attribute('aria-invalid', message ? 'true' : undefined)}></div>
${columnChoice(context, structure, { legend: edit.choose, chosen: new Set(columns) })}`;
}

export type ViewPage = {
  gate: Gate;
  structure: Structure;
  views: readonly SavedView[];
  current: SavedView;
  /** The hidden field `id` of the button that copies the view. */
  newId: string;
  typed?: TypedView;
  errors?: ViewErrors;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
};

/** Renders the page on which a view is changed. */
export function renderViewPage(context: PageContext, head: FormHead, page: ViewPage): Html {
  const { edit } = getReviewTexts(context);
  const { gate, structure, views, current, newId, typed, errors = {}, overwritten = [] } = page;
  const columns = listViewColumns(structure, current).map(({ id }) => id);
  const fields = { ...(typed ?? { title: current.title, columns }), error: errors.title };
  const action = `/review/${gate.formId}/views/${current.id}`;
  const position = views.findIndex(({ id }) => id === current.id);
  const button = (name: string, label: string, isShown = true): Html | undefined =>
    isShown ? html`<button class="secondary" name="do" value="${name}">${label}</button>` : undefined;
  return reviewLayout(context, head, {
    current: 'views',
    title: pageTitle(context, edit.changeTitle(current.title), errors.title !== undefined),
    width: 'wide',
    main: html`${summary(context, fields)}
<div class="review-title"><h1>${edit.changeTitle(current.title)}</h1></div>
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: action })}
<form method="post" action="${action}" data-once><input type="hidden" name="hash" value="${seenHash(hashView(current), page)}">
${viewFields(context, structure, fields)}
<div class="actions"><button name="do" value="save">${edit.save}</button><a class="button secondary" href="/review/${gate.formId}?view=${current.id}">${edit.show}</a></div>
</form>
<section class="section-heading" aria-labelledby="view-order"><h2 id="view-order">${edit.order}</h2>
<form method="post" action="${action}" data-once><input type="hidden" name="id" value="${newId}"><div class="actions">
${button('up', edit.up, position > 0)}${button('down', edit.down, position < views.length - 1)}
${button('duplicate', edit.duplicate)}${button(current.locked ? 'unlock' : 'lock', current.locked ? edit.unlock : edit.lock)}
${!current.locked && html`<a class="button danger" href="${action}/delete">${edit.delete}</a>`}
</div></form>
${current.locked && html`<p class="hint">${edit.lockHint}</p>`}
</section>`,
  });
}
