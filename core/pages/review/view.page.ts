/**
 * Shows a view to change it. Changes a view: its title and columns (`do=save`), its place, its lock; copies or deletes
 * it.
 */
import { idWithin } from '#core/db/keys.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, type SavedView, type Views } from '#core/views/model.ts';
import {
  duplicateView,
  editViews,
  listViewColumns,
  loadViews,
  lockView,
  type OpenedViews,
  openViews,
  patchView,
  removeView,
  requireView,
} from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import { conflictNotice, type Overwritten, pageTitle } from '../shell/controls.ts';
import { COLUMNS_BYTES, memberOfView } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getReviewTexts } from '../text/review.ts';
import { describeList } from './filter.ts';
import { loadReviewHead, reviewLayout, withDone } from './header.ts';
import { listHref, parseListAddress, standardAddress, viewAddress } from './list-address.ts';
import {
  explainView,
  hashView,
  isValidTitle,
  keepQuery,
  listOverwritten,
  parseTypedView,
  saveTypedView,
  type TypedView,
  type ViewErrors,
} from './view-fields.ts';
import { summary, viewFields } from './views.ts';

export const page = definePage({
  name: 'view',
  audience: 'reviewers',
  path: '/review/{formId}/views/{viewId}',
  access: memberOfView,
  needs: ['table:read', 'table:list'],
  open: openViews,
  show: async ({ app, gate, structure, views, params, context }) => {
    const current = requireView(views, params.viewId);
    const head = await loadReviewHead(app, gate);
    return {
      html: renderViewPage(context, head, { gate, structure, views: views.views, current, newId: app.uuid() }),
    };
  },
  post: {
    access: memberOfView,
    needs: ['table:read', 'table:list', 'table:write'],
    maxFormBytes: COLUMNS_BYTES,
    creates: ['copy of a view'],
    open: openViews,
    byDefault: 'save',
    actions: {
      save,
      keep,
      forget: async (request) => {
        const { structure, params, context } = request;
        await edit(request, (current) =>
          patchView(current, params.viewId, { query: null }, structure, context.now.toISOString()),
        );
        return { location: savedHref(request) };
      },
      up: (request) => move(request, -1),
      down: (request) => move(request, 1),
      lock: (request) => lock(request, true),
      unlock: (request) => lock(request, false),
      duplicate: async (request) => {
        const { app, gate, structure, views, caller, params, posted, context } = request;
        const original = requireView(views, params.viewId);
        const id = idWithin(gate.formId, readNewId(posted.fields, caller, app).derive(['duplicate', original]));
        const now = context.now.toISOString();
        await edit(request, (current) => {
          // The second press of the button finds what the first one has created.
          if (current.views.some((view) => view.id === id)) return current;
          const { title } = requireView(current, original.id);
          const free = findFreeTitle(current.views, title, getReviewTexts(context).edit.copyOf);
          return patchView(duplicateView(current, original.id, { id, now }), id, { title: free }, structure, now);
        });
        return { location: withDone(viewsHref(gate), 'saved') };
      },
      delete: async (request) => {
        await edit(request, (current) => removeView(current, request.params.viewId));
        return { location: withDone(viewsHref(request.gate), 'viewDeleted') };
      },
    },
  },
});

type ViewRequest = OpenedViews & Pick<PageRequest<'{viewId}'>, 'app' | 'params' | 'posted' | 'context'>;

const viewsHref = ({ formId }: Gate): string => `/review/${formId}/views`;

const edit = async ({ app, views }: ViewRequest, change: (current: Views) => Views): Promise<void> => {
  await editViews(app, views, (current) => ({ next: change(current), body: undefined }));
};

const savedHref = ({ gate, params }: ViewRequest): string => withDone(`${viewsHref(gate)}/${params.viewId}`, 'saved');

async function move(request: ViewRequest, by: 1 | -1): Promise<PageResult> {
  const { structure, params, context } = request;
  await edit(request, (current) => {
    const order = Math.max(current.views.indexOf(requireView(current, params.viewId)) + by, 0);
    return patchView(current, params.viewId, { order }, structure, context.now.toISOString());
  });
  return { location: savedHref(request) };
}

async function lock(request: ViewRequest, isLocked: boolean): Promise<PageResult> {
  const { params, context } = request;
  await edit(request, (current) => lockView(current, params.viewId, isLocked, context.now.toISOString()));
  return { location: savedHref(request) };
}

/** Keeps the filter, the search and the order of the table that the reader comes from, and shows it again. */
async function keep(request: ViewRequest): Promise<PageResult> {
  const { gate, structure, params, posted, context } = request;
  const list = parseListAddress(gate.formId, posted.fields, context.timeZone);
  await edit(request, (current) =>
    patchView(current, params.viewId, { query: keepQuery(structure, list) }, structure, context.now.toISOString()),
  );
  return {
    location: withDone(listHref({ ...list, viewId: params.viewId, isFiltering: false, page: undefined }), 'saved'),
  };
}

/** Saves the title and the columns that were typed. */
async function save(request: ViewRequest): Promise<PageResult> {
  const { app, gate, structure, views, params, posted, context } = request;
  const { viewId } = params;
  const { fields } = posted;
  const typed = parseTypedView(fields, structure, context.timeZone);
  const render = async (stored: Views, { status, ...refused }: Partial<ViewPage> & { status: number }) => {
    const current = requireView(stored, viewId);
    const data = { views: stored.views, current, newId: app.uuid(), typed, seen: fields.get('hash'), ...refused };
    const head = await loadReviewHead(app, gate);
    return { html: renderViewPage(context, head, { gate, structure, ...data }), status };
  };
  if (!isValidTitle(typed.title)) return render(views, { errors: { title: 'titleInvalid' }, status: 400 });
  return saveTyped({
    fields,
    contentHash: (current: Views) => hashView(requireView(current, viewId)),
    listOverwritten: (current: Views) => listOverwritten(context, structure, requireView(current, viewId), typed),
    reload: () => loadViews(app.table, gate.formId),
    render,
    explain: explainView,
    save: async (requireSeen) => {
      await edit(request, (current) => {
        const next = saveTypedView(current, structure, { viewId, typed, now: context.now.toISOString() });
        requireSeen(current, next);
        return next;
      });
      return savedHref(request);
    },
  });
}

type ViewPage = {
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
function renderViewPage(context: PageContext, head: FormHead, page: ViewPage): Html {
  const { edit } = getReviewTexts(context);
  const { gate, structure, views, current, newId, typed, errors = {}, overwritten = [] } = page;
  const columns = listViewColumns(structure, current).map(({ id }) => id);
  const fields = { ...(typed ?? { title: current.title, columns }), error: errors.title };
  const action = `/review/${gate.formId}/views/${current.id}`;
  const shown = viewAddress(standardAddress(gate.formId, context.timeZone), { view: current }, context.timeZone);
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
<div class="actions"><button name="do" value="save">${edit.save}</button><a class="button secondary" href="${listHref(shown)}">${edit.show}</a></div>
</form>
${
  current.query &&
  html`<section class="section-heading" aria-labelledby="view-filter"><h2 id="view-filter">${edit.kept}</h2>
<ul>${describeList(context, structure, shown).map((text) => html`<li dir="auto">${text}</li>`)}</ul>
<p class="hint">${edit.keptHint}</p>
<form method="post" action="${action}" data-once><div class="actions">${button('forget', edit.forget)}</div></form></section>`
}
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
