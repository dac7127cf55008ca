/** Shows the mails of submissions that could not be sent. Sends those again that are selected. */
import { loadListedUsers } from '#core/accounts/accounts.ts';
import type { ShortUser } from '#core/accounts/model.ts';
import type { Gate } from '#core/forms/gate.ts';
import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { type FailedMail, listFailedMails, resendMails } from '#core/responses/failed-mails.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { loadReviewHead, personName, reasonText, reviewLayout, withDone } from './header.ts';
import { readSelected } from './selection.ts';

export const page = definePage({
  name: 'failed',
  audience: 'reviewers',
  path: '/review/{formId}/failed',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openGate,
  show: async ({ app, gate, query, context }) => {
    const list = { failed: gate.formId };
    const cursor = query.get('cursor') ?? undefined;
    const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const [head, { mails, last }] = await Promise.all([
      loadReviewHead(app, gate),
      listFailedMails(app.table, gate.formId, { limit: ROWS, after }),
    ]);
    const findUser = await loadListedUsers(
      app,
      mails.map(({ response }) => response.userId),
    );
    const next = last === null ? null : encodeCursor(list, last);
    return { html: renderFailedPage(context, head, { gate, mails, findUser, next, isFirst: cursor === undefined }) };
  },
  post: {
    access: member,
    needs: ['table:read', 'table:list', 'table:write'],
    open: openGate,
    actions: {
      resend: async ({ app, gate, posted }) => {
        const queued = await resendMails(app, gate.formId, readSelected(posted.fields));
        return { location: withDone(`/review/${gate.formId}/failed`, queued > 0 ? 'resent' : 'noneResent') };
      },
    },
  },
});

const ROWS = 50;

type FailedPage = {
  gate: Gate;
  mails: readonly FailedMail[];
  findUser(userId: string): ShortUser;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** Renders the list, whose mails are selected at first. */
function renderFailedPage(context: PageContext, head: FormHead, data: FailedPage): Html {
  const { failed, table } = getReviewTexts(context);
  const { gate, mails, next, isFirst } = data;
  const path = `/review/${gate.formId}/failed`;
  return reviewLayout(context, head, {
    current: 'table',
    title: failed.title,
    width: 'list',
    main: html`<div class="review-title"><h1>${failed.title}</h1></div>
${
  mails.length === 0
    ? html`<div class="empty"><p>${isFirst ? failed.none : table.endOfPages}</p></div>`
    : html`<p class="lead">${failed.lead}</p>
<form method="post" action="${path}" data-once>
<ul class="rows">${mails.map((mail) => failedRow(context, data, mail))}</ul>
${mails.some(({ isCurrent }) => isCurrent) && html`<div class="actions"><button name="do" value="resend">${failed.resend}</button></div>`}
</form>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${path}">${table.first}</a>`}
${next !== null && html`<a class="button secondary" href="${path}?cursor=${next}">${table.next}</a>`}
${mails.length > 0 && html`<a class="button secondary" href="/review/${gate.formId}?copies=failed">${failed.table}</a>`}
<a class="button secondary" href="/review/${gate.formId}">${failed.back}</a></div>`,
  });
}

function failedRow(
  context: PageContext,
  { gate, findUser }: FailedPage,
  { response, failedAt, reason, isCurrent }: FailedMail,
): Html {
  const { failed } = getReviewTexts(context);
  const user = findUser(response.userId);
  const name = personName(context, user);
  const address = user.emails[0] ?? '';
  return html`<li><div class="row-text">${
    isCurrent &&
    html`<label class="column-option"><input type="checkbox" name="r" value="${response.id}" checked><span class="visually-hidden">${failed.select(name)}</span></label>`
  }<h2><a class="row-link" dir="auto" href="/review/${gate.formId}/r/${response.id}">${name}</a></h2>
<p class="muted small">${address !== name && address} ${renderTime(context, failedAt)}</p>
<p class="small">${reason !== undefined && reasonText(context, reason)} ${!isCurrent && failed.withdrawn}</p></div></li>`;
}
