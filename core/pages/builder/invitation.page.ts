/**
 * Shows an invitation with its code, or a guest who has only confirmed an address. Changes the label, and the address of an invitation;
 * replaces the code or ends the mailed links, or revokes the guest.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { type OpenedGate, openGate } from '#core/forms/open.ts';
import { changeInvitation, showInvitation } from '#core/invitations/invitations.ts';
import { type InvitationDocument, InvitationPatch } from '#core/invitations/model.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { copyButton, errorSummary, type FieldError, pageTitle, textField } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
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
    return show({ app, gate, guestId, roles, context }, {});
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open,
    byDefault: 'save',
    actions: {
      save: async (request) => {
        const { app, gate, guestId, posted, context } = request;
        const typed = readTyped(posted.fields);
        const read = InvitationPatch().safeParse({
          label: typed.label || null,
          // The page has no field for an address that was confirmed.
          ...(posted.fields.has('email') && { email: typed.email || null }),
        });
        if (!read.success) {
          const names = new Set(read.error.issues.map(({ path: [name] }) => String(name)));
          return show(request, { typed, errors: findErrors(context, names) });
        }
        // An address makes another guest, at another address of the page.
        const { body } = await changeInvitation(app, gate.formId, guestId, read.data);
        return { location: withDone(`${invitationsHref(gate.formId)}/${body.id}`, 'invitationChanged') };
      },
      newCode: async ({ app, gate, guestId }) => {
        const { body } = await changeInvitation(app, gate.formId, guestId, { newCode: true });
        const done = body.code === '' ? 'linksEnded' : 'codeReplaced';
        return { location: withDone(`${invitationsHref(gate.formId)}/${guestId}`, done) };
      },
      revoke: async ({ app, gate, guestId }) => {
        await changeInvitation(app, gate.formId, guestId, { revoked: true });
        return { location: withDone(`${invitationsHref(gate.formId)}/${guestId}`, 'invitationRevoked') };
      },
    },
    // The address of a guest who has started, or of another one, and a code too many.
    explain: (request, problem) => {
      if (problem.code !== 'invalid_request') return undefined;
      const names = new Set(problem.errors.map(({ pointer }) => pointer.replace('/body/', '')));
      if (!names.has('email')) return undefined;
      const texts = getBuilderTexts(request.context).invitations;
      const errors = [{ target: 'email', message: texts.emailStays }];
      return show(request, { typed: readTyped(request.posted.fields), errors });
    },
  },
});

type Typed = { label: string; email: string };

const readTyped = (fields: URLSearchParams): Typed => ({
  label: fields.get('label')?.trim() ?? '',
  email: fields.get('email')?.trim() ?? '',
});

function findErrors(context: PageContext, names: ReadonlySet<string>): FieldError[] {
  const texts = getBuilderTexts(context).invitations;
  return [
    ...(names.has('label') ? [{ target: 'label', message: texts.labelInvalid }] : []),
    ...(names.has('email') ? [{ target: 'email', message: texts.emailInvalid }] : []),
  ];
}

type Request = Pick<PageRequest<'/build/{formId}/invitations/{guestId}'>, 'app' | 'roles' | 'context'> &
  Pick<OpenedGate, 'gate'> & { guestId: string };

async function show(
  { app, gate, guestId, roles, context }: Request,
  { typed, errors = [] }: { typed?: Typed; errors?: readonly FieldError[] },
): Promise<PageResult> {
  const [head, invitation] = await Promise.all([loadGateHead(app, gate), showInvitation(app, gate.formId, guestId)]);
  const { label, email } = invitation;
  const data = {
    invitation,
    isAdmin: roles.includes('admin'),
    typed: typed ?? { label: label ?? '', email: email ?? '' },
  };
  return {
    html: renderInvitationPage(context, head, { ...data, errors }),
    status: errors.length > 0 ? 400 : 200,
  };
}

type InvitationPage = {
  invitation: InvitationDocument;
  isAdmin: boolean;
  typed: Typed;
  errors: readonly FieldError[];
};

function renderInvitationPage(context: PageContext, head: FormHead, data: InvitationPage): Html {
  const { invitation, isAdmin, typed, errors } = data;
  const { invitations: texts } = getBuilderTexts(context);
  const href = `${invitationsHref(head.form.id)}/${invitation.id}`;
  const { code, link, createdAt, sentAt, remindedAt } = invitation;
  const isInvited = code !== '';
  const errorOf = (name: string) => errors.find(({ target }) => target === name)?.message;
  return builderLayout(context, head, {
    current: 'share',
    title: pageTitle(context, guestName(invitation), errors.length > 0),
    main: html`${errorSummary(context, errors)}
<h1>${guestName(invitation)}</h1>
<p>${stateTag(context, invitation)}</p>
${
  invitation.state === 'REVOKED'
    ? html`<div class="notice"><p>${isInvited ? texts.revoked : texts.addressRevoked}</p></div>`
    : html`<section class="card"><dl class="facts">${isInvited ? html`<dt>${texts.code}</dt><dd>${code}</dd>` : html`<dt>${texts.confirmed}</dt><dd>${renderTime(context, createdAt)}</dd>`}
${sentAt !== null && html`<dt>${texts.sent}</dt><dd>${renderTime(context, sentAt)}</dd>`}
${remindedAt !== null && html`<dt>${texts.reminded}</dt><dd>${renderTime(context, remindedAt)}</dd>`}</dl>
${
  isInvited &&
  html`<h2>${texts.link}</h2><p class="share-link"><span class="address">${link}</span>
${copyButton(context, { text: link })}</p><p class="hint">${texts.linkHint}</p>`
}</section>
<form method="post" action="${href}" class="card section-heading" novalidate data-once>
${textField(context, { name: 'label', label: texts.label, hint: texts.labelHint, value: typed.label, error: errorOf('label') })}
${isInvited && textField(context, { name: 'email', label: texts.email, hint: texts.emailHint, value: typed.email, error: errorOf('email'), isExact: true })}
<p class="actions"><button name="do" value="save">${texts.save}</button></p></form>
<form method="post" action="${href}" class="card section-heading" data-once>
<p>${isInvited ? texts.newCodeHint : texts.endLinksHint}</p><p class="actions"><button class="secondary" name="do" value="newCode">${isInvited ? texts.newCode : texts.endLinks}</button></p>
<p>${texts.revokeHint}</p><p class="actions"><button class="secondary" name="do" value="revoke">${texts.revoke}</button></p></form>`
}
<p class="actions"><a class="button secondary" href="${invitationsHref(head.form.id)}">${isInvited ? texts.title : texts.addresses}</a>
${isAdmin && html`<a class="button danger" href="${href}/delete" data-dialog>${texts.delete}</a>`}</p>`,
  });
}
