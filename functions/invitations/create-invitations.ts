/** Invites guests to a form. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { createInvitations } from '#core/invitations/invitations.ts';

export const handler = operation(invitations.createInvitations, openGate, ({ gate, body, app }) =>
  createInvitations(app, gate.formId, body.guests),
);
