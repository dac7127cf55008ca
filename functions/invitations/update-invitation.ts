/** Changes an invitation: revokes it, replaces its code, or changes what is known of its guest. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { changeInvitation } from '#core/invitations/invitations.ts';

export const handler = operation(invitations.updateInvitation, openGate, ({ gate, params, body, app }) =>
  changeInvitation(app, gate.formId, params.guestId, body),
);
