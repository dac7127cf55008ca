/** Shows an invitation with its code. Replaces the code, or revokes the invitation. */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { type OpenedGate, openGate } from '#core/forms/open.ts';
import { changeInvitation, showInvitation } from '#core/invitations/invitations.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import type { PageContext } from '../shell/context.ts';
import { copyButton } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { builderLayout, withDone } from './frame.ts';
import { guestName, invitationsHref, stateTag } from './invitations.ts';

/** Opens the form of an invitation, which the page reads once it is known that its reader is a member. */
const open: Opener<OpenedGate & { guestId: string }> = async (call) => {
  const opened = await openGate(call);
  return { ...opened, resource: { ...opened.resource, guestId: parsePathId(call.params, 'guestId') } };
};

export const page = definePage({
  name: 'invitation',
  audience: 'builders',
  path: '/build/{formId}/invitations/{guestId}',
  access: member,
  needs: LIST,
  open,
  show: async ({ app, gate, guestId, roles, context }) => {
    const [head, invitation] = await Promise.all([loadGateHead(app, gate), showInvitation(app, gate.formId, guestId)]);
    return { html: renderInvitationPage(context, head, { invitation, isAdmin: roles.includes('admin') }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open,
    actions: {
      newCode: async ({ app, gate, guestId }) => {
        await changeInvitation(app, gate.formId, guestId, { newCode: true });
        return { location: withDone(`${invitationsHref(gate.formId)}/${guestId}`, 'codeReplaced') };
      },
      revoke: async ({ app, gate, guestId }) => {
        await changeInvitation(app, gate.formId, guestId, { revoked: true });
        return { location: withDone(`${invitationsHref(gate.formId)}/${guestId}`, 'invitationRevoked') };
      },
    },
  },
});

type InvitationPage = { invitation: InvitationDocument; isAdmin: boolean };

function renderInvitationPage(context: PageContext, head: FormHead, { invitation, isAdmin }: InvitationPage): Html {
  const { invitations: texts } = getBuilderTexts(context);
  const href = `${invitationsHref(head.form.id)}/${invitation.id}`;
  const { code, link, email } = invitation;
  return builderLayout(context, head, {
    current: 'share',
    title: guestName(invitation),
    main: html`<h1>${guestName(invitation)}</h1>
<p>${stateTag(context, invitation)}</p>
${
  invitation.state === 'REVOKED'
    ? html`<div class="notice"><p>${texts.revoked}</p></div>`
    : html`<section class="card"><dl class="facts"><dt>${texts.code}</dt><dd>${code}</dd>${email !== null && html`<dt>${texts.email}</dt><dd>${email}</dd>`}</dl>
<h2>${texts.link}</h2><p class="share-link"><span class="address">${link}</span>
${copyButton(context, { text: link })}</p><p class="hint">${texts.linkHint}</p></section>
<form method="post" action="${href}" class="card section-heading" data-once>
<p>${texts.newCodeHint}</p><p class="actions"><button class="secondary" name="do" value="newCode">${texts.newCode}</button></p>
<p>${texts.revokeHint}</p><p class="actions"><button class="secondary" name="do" value="revoke">${texts.revoke}</button></p></form>`
}
<p class="actions"><a class="button secondary" href="${invitationsHref(head.form.id)}">${texts.title}</a>
${isAdmin && html`<a class="button danger" href="${href}/delete" data-dialog>${texts.delete}</a>`}</p>`,
  });
}
