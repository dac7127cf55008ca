/** What the pages of invitations have in common: their addresses, and how a guest and their state are named. */
import { guestCode } from '#core/accounts/model.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getBuilderTexts } from '../text/builder.ts';

/** The address of the list of invitations to a form. */
export const invitationsHref = (formId: string): string => `/build/${formId}/invitations`;

/** The address of the page that sends the invitations to a form. */
export const invitationMailsHref = (formId: string): string => `/build/${formId}/invitation-mails`;

/** Names an invited guest: by the label, the address, or the number with the code by which reviewers see them. */
export const guestName = ({ id, number, label, email }: InvitationDocument): string =>
  label ?? email ?? `${number} · ${guestCode(id) ?? ''}`;

/** Renders how far a guest is, and why a mail did not reach them. */
export const stateTag = (context: PageContext, { state, mailFault }: InvitationDocument): Html =>
  html`${mailFault !== null && html`<span class="tag bad">${getBuilderTexts(context).invitations.mailFaults[mailFault]}</span> `}<span class="tag${{ NOT_STARTED: '', DRAFT: ' active', SUBMITTED: ' good', REVOKED: '' }[state]}">${
    getBuilderTexts(context).invitations.states[state]
  }</span>`;
