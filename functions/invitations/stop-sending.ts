/** Stops the last sending of the invitations to a form. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { stopSending } from '#core/invitations/sending.ts';

export const handler = operation(invitations.stopSending, openGate, async ({ gate, app }) => {
  await stopSending(app, gate.formId);
  return { body: undefined };
});
