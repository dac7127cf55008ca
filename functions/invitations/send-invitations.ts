/** Begins to send the invitations to a form. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { sendInvitations } from '#core/invitations/sending.ts';

export const handler = operation(invitations.sendInvitations, openGate, ({ gate, body, app }) =>
  sendInvitations(app, gate, body),
);
