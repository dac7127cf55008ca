/**
 * Shows the responses that were started and not submitted yet: how far each is, and when it was saved last. Reminds the respondents of
 * those that are selected.
 */
import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import { type Gate, isOpen } from '#core/forms/gate.ts';
import { openGate, openStructure } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { type ListedDraft, listDrafts, remindOfDrafts } from '#core/responses/drafts.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { loadReviewHead, personName, reasonText, reviewLayout, withDone } from './header.ts';
import { draftsHref, readSelected } from './selection.ts';

export const page = definePage({
  name: 'drafts',
  audience: 'reviewers',
  path: '/review/{formId}/drafts',
  access: member,
  needs: LIST,
  open: openStructure,
  show: async ({ app, gate, structure, roles, query, context }) => {
    const list = { drafts: gate.formId };
    const cursor = query.get('cursor') ?? undefined;
    const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const [head, { drafts, last }] = await Promise.all([
      loadReviewHead(app, gate),
      listDrafts(app.table, structure, { limit: ROWS, after }),
    ]);
    const findUser = await loadListedUsers(
      app,
      drafts.map(({ userId }) => userId),
    );
    const next = last === null ? null : encodeCursor(list, last);
    const maySelect = roles.includes('admin') || roles.includes('creator');
    const data = {
      gate,
      drafts,
      findUser,
      next,
      isFirst: cursor === undefined,
      maySelect,
      selected: readSelected(query),
    };
    return { html: renderDraftsPage(context, head, data) };
  },
  post: {
    access: { credential: 'user', target: 'form', roles: ['admin', 'creator'] },
    needs: [...LIST, 'table:write'],
    open: openGate,
    actions: {
      remind: async ({ app, gate, posted, context }) => {
        const selected = readSelected(posted.fields);
        const queued = await remindOfDrafts({ ...app, language: context.language }, gate, selected);
        const done = queued === 0 ? 'noneReminded' : queued < selected.length ? 'someReminded' : 'reminded';
        return { location: withDone(draftsHref(gate.formId), done) };
      },
    },
  },
});

const ROWS = 50;

type DraftsPage = {
  gate: Gate;
  /** Begun last first. */
  drafts: readonly ListedDraft[];
  findUser(userId: string): ShortUser;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
  /** Whether the reader may delete drafts, and remind of them. */
  maySelect: boolean;
  /** The ids of the drafts that are selected at first. */
  selected: readonly string[];
};

/** Renders the list of drafts for reviewers, begun last first. */
function renderDraftsPage(context: PageContext, head: FormHead, data: DraftsPage): Html {
  const { drafts: texts, table } = getReviewTexts(context);
  const { gate, drafts, next, isFirst, maySelect } = data;
  const path = draftsHref(gate.formId);
  return reviewLayout(context, head, {
    current: 'drafts',
    isTab: true,
    title: texts.title,
    width: 'list',
    main: html`<p class="lead">${texts.lead}</p>
${
  drafts.length === 0
    ? html`<div class="empty"><p>${isFirst ? texts.none : table.endOfPages}</p></div>`
    : html`<ul class="rows">${drafts.map((draft) => draftRow(context, data, draft))}</ul>
${maySelect && selectionForm(context, gate)}`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${path}">${table.first}</a>`}
${next !== null && html`<a class="button secondary" href="${path}?cursor=${next}">${table.next}</a>`}
</div>`,
  });
}

function draftRow(context: PageContext, { gate, findUser, maySelect, selected }: DraftsPage, draft: ListedDraft): Html {
  const { drafts: texts, table } = getReviewTexts(context);
  const { id, userId, createdAt, updatedAt, answered, asked, isWhole, reminder } = draft;
  const user = findUser(userId);
  const name = personName(context, user);
  const address = user.emails[0] ?? '';
  const reminded =
    reminder?.state === 'FAILED'
      ? html` ${texts.notReminded} ${reasonText(context, reminder.reason ?? '')}`
      : reminder && html` ${texts.reminded} ${renderTime(context, reminder.queuedAt)}`;
  return html`<li><div class="row-text">${
    maySelect &&
    html`<label class="row-select"><input type="checkbox" form="selection" name="r" value="${id}"${attribute('checked', selected.includes(id))} aria-label="${table.select(name)}"></label>`
  }<h2><a class="row-link" dir="auto" href="/review/${gate.formId}/r/${id}">${name}</a></h2>
<p class="muted small">${address !== name && address !== '' && html`<span dir="auto">${address}</span> · `}${texts.started} ${renderTime(context, createdAt)} · ${texts.saved} ${renderTime(context, updatedAt)}</p>
<p class="small">${(isWhole ? texts.answered : texts.answeredSoFar)(answered, asked)}${reminded}</p></div></li>`;
}

/**
 * Renders what can be done with the selected drafts. Where styles are, it is shown when one is selected. Enter in a box presses the
 * first button, which shows the list with what is selected.
 */
function selectionForm(context: PageContext, gate: Gate): Html {
  const { drafts: texts, table } = getReviewTexts(context);
  const path = draftsHref(gate.formId);
  return html`<form id="selection" class="selection" method="get" action="/review/${gate.formId}/delete-selected" aria-label="${texts.selected}">
<input type="hidden" name="of" value="drafts">
<button hidden formaction="${path}"></button>${isOpen(gate, context.now) && html`<button class="secondary" formmethod="post" formaction="${path}" name="do" value="remind">${texts.remindSelected}</button>`}
<button class="secondary danger">${table.deleteSelected}</button>
</form>`;
}
