/** Lists the invitations to a form, and how far each guest is. Invites those on pasted lines. */

import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { createInvitations, listInvitations } from '#core/invitations/invitations.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { errorSummary, pageTitle, textArea } from '../shell/controls.ts';
import { DETAILS_BYTES, LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { newFormField, readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, withDone } from './frame.ts';
import { inRequests, MAX_LINES, readGuestLines } from './invitation-lines.ts';
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
    const [head, shown] = await Promise.all([loadGateHead(app, gate), loadPage(app, gate.formId, query.get('cursor'))]);
    const data = { ...shown, isForInvited: gate.audience === 'INVITED', newId: newFormField(app) };
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
          const isForInvited = gate.audience === 'INVITED';
          const data = { ...shown, isForInvited, newId: field, typed: { guests: typed, error } };
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

type Texts = ReturnType<typeof getBuilderTexts>['invitations'];

function findError(texts: Texts, count: number, faults: readonly number[]): string | undefined {
  if (faults.length > 0) return texts.wrongLines(faults.slice(0, 10).join(', '), faults.length > 10);
  if (count === 0) return texts.noLines;
  return count > MAX_LINES ? texts.tooManyLines(MAX_LINES) : undefined;
}

type Shown = { invitations: readonly InvitationDocument[]; next: string | null; isFirst: boolean };

async function loadPage(
  app: Parameters<typeof listInvitations>[0],
  formId: string,
  cursor: string | null,
): Promise<Shown> {
  const list = ['invitations', formId];
  const after = cursor === null ? undefined : decodeCursor(list, cursor);
  const { body, next } = await listInvitations(app, formId, { limit: PAGE_INVITATIONS, after });
  return {
    invitations: body.invitations,
    next: next === null ? null : encodeCursor(list, next),
    isFirst: cursor === null,
  };
}

type InvitationsPage = Shown & {
  /** Whether the form takes responses from invited guests. */
  isForInvited: boolean;
  newId: string;
  /** The lines that were typed, and what is wrong with them. */
  typed?: { guests: string; error: string };
};

function renderInvitationsPage(context: PageContext, head: FormHead, data: InvitationsPage): Html {
  const { invitations: texts } = getBuilderTexts(context);
  const { typed, invitations, next, isFirst, isForInvited, newId } = data;
  const { id } = head.form;
  const href = invitationsHref(id);
  return builderLayout(context, head, {
    current: 'share',
    title: pageTitle(context, texts.title, typed !== undefined),
    main: html`${errorSummary(context, typed ? [{ target: 'guests', message: typed.error }] : [])}
<h1>${texts.title}</h1>
${!isForInvited && html`<div class="notice warning"><p>${texts.notInvited} <a href="/build/${id}/share">${texts.share}</a></p></div>`}
<p>${texts.lead}</p>
<form method="post" action="${href}" class="card" novalidate data-once>
<input type="hidden" name="id" value="${newId}">
${textArea(context, { name: 'guests', label: texts.paste, hint: texts.pasteHint, value: typed?.guests ?? '', error: typed?.error })}
<p class="actions"><button>${texts.invite}</button></p></form>
${
  invitations.length > 0 &&
  html`<section class="section-heading"><h2>${texts.list}</h2>
<p class="actions"><a class="button" href="${invitationMailsHref(id)}">${texts.mails}</a>
<a class="button secondary" href="/build/${id}/invitation-links" download>${texts.links}</a>
<a class="button secondary" href="/build/${id}/invitation-sheet">${texts.sheet}</a></p>
<ul class="rows">${invitations.map((invitation) => invitationRow(context, href, invitation))}</ul></section>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${href}">${texts.first}</a>`}
${next !== null && html`<a class="button secondary" href="${href}?cursor=${encodeURIComponent(next)}">${texts.more}</a>`}
</div>`,
  });
}

const invitationRow = (context: PageContext, href: string, invitation: InvitationDocument): Html =>
  html`<li><div class="row-text"><h3><a class="row-link" href="${href}/${invitation.id}">${guestName(invitation)}</a></h3>
<p class="muted small">${invitation.email !== null && invitation.label !== null && html`${invitation.email} · `}${invitation.code}${sentText(context, invitation)}</p></div>
<div class="row-side">${stateTag(context, invitation)}</div></li>`;

/** Says when the last mail was sent to a guest. */
function sentText(context: PageContext, { sentAt, remindedAt }: InvitationDocument): Html | false {
  const { invitations: texts } = getBuilderTexts(context);
  if (remindedAt !== null && (sentAt === null || remindedAt > sentAt))
    return html` · ${texts.reminded} ${renderTime(context, remindedAt)}`;
  return sentAt !== null && html` · ${texts.sent} ${renderTime(context, sentAt)}`;
}
