/** Lists the invitations to a form with their codes, and the guests who have confirmed an address. */
import { invitations } from '#core/api/invitations.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { listGuests } from '#core/invitations/invitations.ts';

export const handler = operation(invitations.listInvitations, openGate, ({ gate, query, after, app }) =>
  listGuests(app, gate.formId, { ...query, after }),
);
