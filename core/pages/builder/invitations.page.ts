/**
 * Lists the guests of a form who are invited or have confirmed an address, and how far each is; finds one by the address. Invites those on
 * pasted lines.
 */
import type { Gate } from '#core/forms/gate.ts';
import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { createInvitations, listGuests } from '#core/invitations/invitations.ts';
import { Email, type InvitationDocument } from '#core/invitations/model.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { errorSummary, pageTitle, textArea } from '../shell/controls.ts';
import { DETAILS_BYTES, LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { newFormField, readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, withDone } from './frame.ts';
import { inRequests, MAX_LINES, type PastedGuests, readGuestLines } from './invitation-lines.ts';
import { guestName, invitationMailsHref, invitationsHref, stateTag } from './invitations.ts';

/** Invitations on one page. */
const PAGE_INVITATIONS = 50;

export const page = definePage({
  name: 'invitations',
  audience: 'builders',
  path: '/build/{formId}/invitations',
  access: member,
  needs: LIST,
  open: openGate,
  show: async ({ app, gate, query, context }) => {
    const search = query.get('email')?.trim() ?? '';
    const loading = search === '' ? loadPage(app, gate.formId, query.get('cursor')) : find(app, gate.formId, search);
    const [head, shown] = await Promise.all([loadGateHead(app, gate), loading]);
    const data = { ...shown, audience: gate.audience, newId: newFormField(app) };
    return { html: renderInvitationsPage(context, head, data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: DETAILS_BYTES,
    creates: ['invitations'],
    open: openGate,
    actions: {
      invite: async ({ app, gate, caller, posted: { fields }, context }) => {
        const texts = getBuilderTexts(context).invitations;
        const typed = fields.get('guests') ?? '';
        const { guests, faults } = readGuestLines(typed);
        const { field, derive } = readNewId(fields, caller, app);
        const error = findError(texts, guests.length, faults);
        if (error !== undefined) {
          const [head, shown] = await Promise.all([loadGateHead(app, gate), loadPage(app, gate.formId, null)]);
          const data = { ...shown, audience: gate.audience, newId: field, typed: { guests: typed, error } };
          return { html: renderInvitationsPage(context, head, data), status: 400 };
        }
        // One after the other: each takes the next numbers.
        for (const [index, request] of inRequests(guests).entries()) {
          await createInvitations(app, gate.formId, request, derive([gate.formId, index, request]));
        }
        return { location: withDone(invitationsHref(gate.formId), 'invited') };
      },
    },
  },
});

/** A wrong line as the message repeats it. */
const cutLine = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

type Texts = ReturnType<typeof getBuilderTexts>['invitations'];

function findError(texts: Texts, count: number, faults: PastedGuests['faults']): string | undefined {
  if (faults.length > 0) {
    const lines = faults.slice(0, 10).map(({ number, text }) => texts.line(number, cutLine(text)));
    return texts.wrongLines(lines.join(texts.comma), faults.length > 10);
  }
  if (count === 0) return texts.noLines;
  return count > MAX_LINES ? texts.tooManyLines(MAX_LINES) : undefined;
}

/** `search`: the address that was looked for; empty where all are listed. */
type Shown = { guests: readonly InvitationDocument[]; next: string | null; isFirst: boolean; search: string };
type ListPorts = Parameters<typeof listGuests>[0];

async function loadPage(app: ListPorts, formId: string, cursor: string | null): Promise<Shown> {
  const list = ['invitations', formId];
  const after = cursor === null ? undefined : decodeCursor(list, cursor);
  const { body, next } = await listGuests(app, formId, { limit: PAGE_INVITATIONS, after });
  return {
    guests: body.invitations,
    next: next === null ? null : encodeCursor(list, next),
    isFirst: cursor === null,
    search: '',
  };
}

/** Finds the guest with an address; nobody with a text that is none. */
async function find(app: ListPorts, formId: string, search: string): Promise<Shown> {
  const { data: email } = Email().safeParse(search);
  const guests = email === undefined ? [] : (await listGuests(app, formId, { limit: 1, email })).body.invitations;
  return { guests, next: null, isFirst: false, search };
}

type InvitationsPage = Shown & {
  audience: Gate['audience'];
  newId: string;
  /** The lines that were typed, and what is wrong with them. */
  typed?: { guests: string; error: string };
};

function renderInvitationsPage(context: PageContext, head: FormHead, data: InvitationsPage): Html {
  const { invitations: texts } = getBuilderTexts(context);
  const { typed, guests, next, isFirst, search, audience, newId } = data;
  const { id } = head.form;
  const href = invitationsHref(id);
  const isByAddress = audience === 'EMAIL';
  const title = isByAddress ? texts.addresses : texts.title;
  return builderLayout(context, head, {
    current: 'share',
    title: pageTitle(context, title, typed !== undefined),
    width: 'list',
    main: html`${errorSummary(context, typed ? [{ target: 'guests', message: typed.error }] : [])}
<h1>${title}</h1>
${
  isByAddress
    ? html`<p>${texts.addressesLead}</p>`
    : html`${audience !== 'INVITED' && html`<div class="notice warning"><p>${texts.notInvited} <a href="/build/${id}/share">${texts.share}</a></p></div>`}
<p>${texts.lead}</p>
<form method="post" action="${href}" class="card" novalidate data-once>
<input type="hidden" name="id" value="${newId}">
${textArea(context, { name: 'guests', label: texts.paste, hint: texts.pasteHint, value: typed?.guests ?? '', error: typed?.error })}
<p class="actions"><button>${texts.invite}</button></p></form>`
}
<section class="section-heading"><h2>${isByAddress ? texts.people : texts.list}</h2>
${
  !isByAddress &&
  guests.length > 0 &&
  html`<p class="actions"><a class="button" href="${invitationMailsHref(id)}">${texts.mails}</a>
<a class="button secondary" href="/build/${id}/invitation-links" download>${texts.links}</a>
<a class="button secondary" href="/build/${id}/invitation-sheet">${texts.sheet}</a></p>`
}
${
  (guests.length > 0 || !isFirst) &&
  html`<form method="get" action="${href}" class="search" role="search" aria-label="${texts.find}">
<label for="email">${texts.find}</label>
<input dir="auto" id="email" name="email" type="search" value="${search}" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="email"><button class="secondary">${texts.findSubmit}</button></form>`
}
${
  guests.length > 0
    ? html`<ul class="rows">${guests.map((guest) => guestRow(context, href, guest))}</ul>`
    : html`<p class="muted">${search === '' ? texts.nobody : texts.notFound(search)}</p>`
}</section>
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href}">${search === '' ? texts.first : texts.all}</a>`}
${next !== null && html`<a class="button secondary" href="${href}?cursor=${encodeURIComponent(next)}">${texts.more}</a>`}
</div>`,
  });
}

function guestRow(context: PageContext, href: string, guest: InvitationDocument): Html {
  const { id, email, label, code, createdAt } = guest;
  const { confirmed } = getBuilderTexts(context).invitations;
  return html`<li><div class="row-text"><h3><a class="row-link" href="${href}/${id}">${guestName(guest)}</a></h3>
<p class="muted small">${email !== null && label !== null && html`${email} · `}${code === '' ? html`${confirmed} ${renderTime(context, createdAt)}` : code}${sentText(context, guest)}</p></div>
<div class="row-side">${stateTag(context, guest)}</div></li>`;
}

/** Says when the last mail was sent to a guest. */
function sentText(context: PageContext, { sentAt, remindedAt }: InvitationDocument): Html | false {
  const { invitations: texts } = getBuilderTexts(context);
  if (remindedAt !== null && (sentAt === null || remindedAt > sentAt))
    return html` · ${texts.reminded} ${renderTime(context, remindedAt)}`;
  return sentAt !== null && html` · ${texts.sent} ${renderTime(context, sentAt)}`;
}
