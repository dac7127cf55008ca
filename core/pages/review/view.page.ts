/**
 * Shows a view to change it. Changes a view: its title and columns (`do=save`), its place, its lock; copies or deletes
 * it.
 */
import { idWithin } from '#core/db/keys.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { SavedView, Views } from '#core/views/model.ts';
import { editViews, loadViews, openViews, requireView } from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import { conflictNotice, type Overwritten, pageTitle } from '../shell/controls.ts';
import { COLUMNS_BYTES, memberOfView } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getReviewTexts } from '../text/review.ts';
import { listViewColumns } from './columns.ts';
import { reviewLayout, withDone } from './header.ts';
import {
  changeViews,
  explainView,
  hashView,
  isValidTitle,
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
    const head = await loadGateHead(app, gate);
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
    actions: {
      changeView: async ({ app, gate, structure, views, caller, params: { viewId }, posted: { fields }, context }) => {
        const action = fields.get('do') ?? 'save';
        const now = context.now.toISOString();
        const list = `/review/${gate.formId}/views`;
        const save = async (edit: (current: Views) => Views): Promise<void> => {
          await editViews(app, views, (current) => ({ next: edit(current), body: undefined }));
        };
        if (action !== 'save') {
          const original = requireView(views, viewId);
          const newId = idWithin(gate.formId, readNewId(fields, caller, app).derive([action, original]));
          const change = { viewId, action, newId, now, copyOf: getReviewTexts(context).edit.copyOf };
          await save((current) =>
            // The second press of the button finds what the first one has created.
            current.views.some(({ id }) => id === newId) ? current : changeViews(current, structure, change),
          );
          if (action === 'delete') return { location: withDone(list, 'viewDeleted') };
          return { location: withDone(action === 'duplicate' ? list : `${list}/${viewId}`, 'saved') };
        }
        const typed = parseTypedView(fields, structure);
        const render = async (current: Views, { status, ...changes }: Partial<ViewPage> & { status: number }) => {
          const data = {
            views: current.views,
            current: requireView(current, viewId),
            newId: app.uuid(),
            typed,
            seen: fields.get('hash'),
          };
          const head = await loadGateHead(app, gate);
          return { html: renderViewPage(context, head, { gate, structure, ...data, ...changes }), status };
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
            await save((current) => {
              const next = saveTypedView(current, structure, { viewId, typed, now });
              requireSeen(current, next);
              return next;
            });
            return withDone(`${list}/${viewId}`, 'saved');
          },
        });
      },
    },
  },
});

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
