/** Deletes an invitation with the responses of its guest. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { deleteInvitation } from '#core/invitations/invitations.ts';

export const handler = operation(invitations.deleteInvitation, openGate, async ({ gate, params, app }) => {
  await deleteInvitation(app, gate, params.guestId);
  return { body: undefined };
});
