/** Lists the invitations to a form with their codes. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { listInvitations } from '#core/invitations/invitations.ts';

export const handler = operation(invitations.listInvitations, openGate, ({ gate, query, after, app }) =>
  listInvitations(app, gate.formId, { ...query, after }),
);
