/** Shows the last sending of the invitations to a form. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { showSending } from '#core/invitations/sending.ts';

export const handler = operation(invitations.getSending, openGate, ({ gate, app }) => showSending(app, gate.formId));
