/** Shows the views of a form, and a form for a new one. Creates a view and shows the table with it. */
import { idWithin } from '#core/db/keys.ts';
import type { Gate } from '#core/forms/gate.ts';
import { Problem } from '#core/problems/problems.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, type SavedView } from '#core/views/model.ts';
import { addView, editViews, listViewColumns, openViews } from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import { pageTitle } from '../shell/controls.ts';
import { COLUMNS_BYTES, member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { listQuestionIds } from './columns.ts';
import { describeList } from './filter.ts';
import { loadReviewHead, reviewLayout } from './header.ts';
import {
  buildListQuery,
  type ListAddress,
  listHref,
  parseListAddress,
  standardAddress,
  viewAddress,
  withKept,
} from './list-address.ts';
import { explainView, isValidTitle, parseTypedView, type TypedView, type ViewErrors } from './view-fields.ts';
import { summary, viewFields } from './views.ts';

export const page = definePage({
  name: 'views',
  audience: 'reviewers',
  path: '/review/{formId}/views',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openViews,
  show: async ({ app, gate, structure, views, query, context }) => ({
    html: renderViewsPage(context, await loadReviewHead(app, gate), {
      gate,
      structure,
      views: views.views,
      newId: app.uuid(),
      list: parseListAddress(gate.formId, query, context.timeZone),
    }),
  }),
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
    creates: ['view'],
    open: openViews,
    actions: {
      createView: async ({ app, gate, structure, views: opened, caller, posted, context }) => {
        const { timeZone } = context;
        const typed = parseTypedView(posted.fields, structure, timeZone);
        const list = parseListAddress(gate.formId, new URLSearchParams(posted.fields.get('list') ?? ''), timeZone);
        const { title, columns, query } = typed;
        const { untitled } = getReviewTexts(context).edit;
        const newId = readNewId(posted.fields, caller, app);
        const created = { id: idWithin(gate.formId, newId.derive(typed)), now: context.now.toISOString() };
        const render = async ({ errors, status }: { errors: ViewErrors; status: 400 | 413 }) => {
          const head = await loadReviewHead(app, gate);
          const { views } = opened;
          return {
            html: renderViewsPage(context, head, { gate, structure, views, newId: newId.field, list, typed, errors }),
            status,
          };
        };
        if (title !== '' && !isValidTitle(title)) return render({ errors: { title: 'titleInvalid' }, status: 400 });
        try {
          await editViews(app, opened, (current) => {
            // The second press of the button finds what the first one has created.
            if (current.views.some(({ id }) => id === created.id)) return { next: current, body: undefined };
            const input = { title: title === '' ? findFreeTitle(current.views, untitled) : title, columns, query };
            return { next: addView(current, input, structure, created), body: undefined };
          });
          return {
            location: listHref(
              withKept({ ...standardAddress(gate.formId, timeZone), viewId: created.id }, query, timeZone),
            ),
          };
        } catch (error) {
          const refused = error instanceof Problem ? explainView(error) : undefined;
          if (!refused) throw error;
          return render(refused);
        }
      },
    },
  },
});

type ViewsPage = {
  gate: Gate;
  structure: Structure;
  views: readonly SavedView[];
  /** The hidden field `id` of the form for a new view. */
  newId: string;
  /** The table whose filter, search and order the new view can keep. */
  list: ListAddress;
  typed?: TypedView;
  errors?: ViewErrors;
};

/** Renders the list with the form for a new view. */
function renderViewsPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, views, newId, list, typed, errors = {} }: ViewsPage,
): Html {
  const { edit } = getReviewTexts(context);
  const columns = views.find(({ id }) => id === list.viewId)?.columns ?? listQuestionIds(structure);
  const fields = { ...(typed ?? { title: '', columns }), error: errors.title };
  return reviewLayout(context, head, {
    current: 'views',
    isTab: true,
    title: pageTitle(context, edit.title, errors.title !== undefined),
    width: 'wide',
    main: html`${summary(context, fields)}
<p class="lead">${edit.lead}</p>
${
  views.length === 0
    ? html`<div class="empty"><p>${edit.none}</p></div>`
    : html`<ul class="rows">${views.map((savedView) => viewRow(context, gate, structure, savedView))}</ul>`
}
<section class="card new-view" id="new" aria-labelledby="new-view"><h2 id="new-view">${edit.new}</h2>
<form method="post" action="/review/${gate.formId}/views" data-once><input type="hidden" name="id" value="${newId}">
${viewFields(context, structure, fields, edit.nameHint)}
${keepField(context, structure, list, !typed || typed.query !== null)}
<div class="actions"><button>${edit.create}</button></div>
</form></section>`,
  });
}

/** Renders whether the new view keeps the filter, the search and the order of the table that the reader comes from. */
function keepField(context: PageContext, structure: Structure, list: ListAddress, isKept: boolean): Html | undefined {
  const { edit } = getReviewTexts(context);
  const described = describeList(context, structure, list);
  if (described.length === 0) return undefined;
  const value = buildListQuery({ ...list, isFiltering: false, page: undefined });
  return html`<input type="hidden" name="list" value="${value}">
<label class="column-option"><input type="checkbox" name="keep" aria-describedby="kept"${attribute('checked', isKept)}><span>${edit.keepFilter}</span></label>
<ul class="hint" id="kept">${described.map((text) => html`<li dir="auto">${text}</li>`)}</ul>`;
}

function viewRow(context: PageContext, { formId }: Gate, structure: Structure, savedView: SavedView): Html {
  const { edit } = getReviewTexts(context);
  const name = html`<span class="visually-hidden"> ${savedView.title}</span>`;
  return html`<li><div class="row-text"><h2 dir="auto">${savedView.title}</h2>
<p class="muted small">${edit.columns(listViewColumns(structure, savedView).length)}${savedView.query && ` · ${edit.filtered}`}${savedView.locked && ` · ${edit.locked}`}</p></div>
<div class="row-side"><a class="button secondary" href="${listHref(viewAddress(standardAddress(formId, context.timeZone), { view: savedView }, context.timeZone))}">${edit.show}${name}</a><a class="button secondary" href="/review/${formId}/views/${savedView.id}">${edit.change}${name}</a></div></li>`;
}
