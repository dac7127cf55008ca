/** Shows invitations to be printed and cut out: the guest, the code, and the link as a QR code. */
import { renderSVG } from 'uqr';
import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import { listInvitations } from '#core/invitations/invitations.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html, trusted } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout } from './frame.ts';
import { guestName, invitationsHref } from './invitations.ts';

/** Invitations on one sheet. */
const PAGE_INVITATIONS = 60;

export const page = definePage({
  name: 'invitationSheet',
  audience: 'builders',
  path: '/build/{formId}/invitation-sheet',
  access: member,
  needs: LIST,
  open: openGate,
  show: async ({ app, gate, query, context }) => {
    const list = ['sheet of invitations', gate.formId];
    const cursor = query.get('cursor');
    const after = cursor === null ? undefined : decodeCursor(list, cursor);
    const [head, { body, next }] = await Promise.all([
      loadGateHead(app, gate),
      listInvitations(app, gate.formId, { limit: PAGE_INVITATIONS, after }),
    ]);
    const invitations = body.invitations.filter(({ state }) => state !== 'REVOKED');
    return {
      html: renderSheet(context, head, { invitations, next: next === null ? null : encodeCursor(list, next) }),
    };
  },
});

type Sheet = { invitations: readonly InvitationDocument[]; next: string | null };

function renderSheet(context: PageContext, head: FormHead, { invitations, next }: Sheet): Html {
  const { invitations: texts } = getBuilderTexts(context);
  const { id, title } = head.form;
  return builderLayout(context, head, {
    current: 'share',
    title: texts.sheet,
    main: html`<h1>${texts.sheet}</h1>
<p class="muted">${texts.sheetHint}</p>
<ul class="invitation-sheet">${invitations.map((invitation) => slip(context, title, invitation))}</ul>
<div class="actions paging"><a class="button secondary" href="${invitationsHref(id)}">${texts.title}</a>
${next !== null && html`<a class="button secondary" href="/build/${id}/invitation-sheet?cursor=${encodeURIComponent(next)}">${texts.more}</a>`}
</div>`,
  });
}

/** A slip for one guest. The picture holds the link of this service, and nothing that people have typed. */
const slip = (context: PageContext, title: string, invitation: InvitationDocument): Html =>
  html`<li><p><strong>${title}</strong></p><p>${guestName(invitation)}</p>
<div class="qr" role="img" aria-label="${getBuilderTexts(context).invitations.qr(guestName(invitation))}">${trusted(renderSVG(invitation.link, { ecc: 'M', border: 2 }))}</div>
<p class="small">${invitation.link.split('?')[0]}</p><p><strong>${invitation.code}</strong></p></li>`;
