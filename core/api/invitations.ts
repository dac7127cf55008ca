/** Operations of invitations: guests of a form whom its organization has named. */
import {
  InvitationDocument,
  InvitationList,
  InvitationListQuery,
  InvitationPatch,
  Invitations,
  InvitationsInput,
} from '#core/invitations/model.ts';
import { SendingDocument, SendingInput } from '#core/invitations/sending-model.ts';
import { declare } from './declare.ts';

const members = { credential: 'user', target: 'form', roles: ['member'] } as const;

export const invitations = declare('invitations', {
  createInvitations: {
    method: 'POST',
    path: '/forms/{formId}/invitations',
    summary: 'Invite guests to a form',
    description: 'At most 90 in a request, and 10,000 to a form. Nothing is sent to them before `sendInvitations`.',
    access: members,
    needs: ['table:read', 'table:write'],
    body: InvitationsInput,
    idempotent: true,
    success: { status: 201, description: 'An invitation for each guest, in order.', body: Invitations },
  },
  listInvitations: {
    method: 'GET',
    path: '/forms/{formId}/invitations',
    summary: 'List the invitations to a form with their codes, and the guests who have confirmed an address',
    access: members,
    needs: ['table:read', 'table:list'],
    query: InvitationListQuery,
    success: {
      status: 200,
      description: 'Invitations by their numbers, then guests who were not invited, newest first.',
      body: InvitationList,
    },
  },
  updateInvitation: {
    method: 'PATCH',
    path: '/forms/{formId}/invitations/{guestId}',
    summary: 'Revoke an invitation, replace its code, or change what is known of its guest',
    access: members,
    needs: ['table:read', 'table:write'],
    body: InvitationPatch,
    success: { status: 200, description: 'The invitation.', body: InvitationDocument },
    problems: {
      400: 'The body is invalid, the invitation is revoked or has had 32 codes and would need a new one, or the address would change of a guest who has started a response, or to that of another invitation.',
    },
  },
  sendInvitations: {
    method: 'POST',
    path: '/forms/{formId}/invitations/send',
    summary: 'Send the invitations to a form by mail, or remind guests of them',
    description: 'Once in 24 hours.',
    access: { ...members, roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    body: SendingInput,
    idempotent: true,
    success: { status: 202, description: 'The sending, which has begun.', body: SendingDocument },
    problems: {
      400: 'The body is invalid, the form does not take responses from invited guests now or later (`form_not_open`), or nobody is invited.',
      409: 'The mails of the organization are paused (`mails_paused`), the last sending is still under way (`delivery_under_way`), or the Idempotency-Key was used with another request.',
      429: 'The invitations were sent within the last 24 hours.',
    },
  },
  getSending: {
    method: 'GET',
    path: '/forms/{formId}/invitations/send',
    summary: 'Get the last sending of the invitations to a form',
    access: members,
    needs: ['table:read'],
    success: { status: 200, description: 'The sending.', body: SendingDocument },
    problems: { 404: 'There is no such form, or its invitations were never sent.' },
  },
  stopSending: {
    method: 'DELETE',
    path: '/forms/{formId}/invitations/send',
    summary: 'Stop the last sending of the invitations to a form',
    description: 'Mails that are queued are not sent any more.',
    access: { ...members, roles: ['admin'] },
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'The sending is stopped.' },
    problems: { 404: 'There is no such form, its invitations were never sent, or the last sending was stopped.' },
  },
  deleteInvitation: {
    method: 'DELETE',
    path: '/forms/{formId}/invitations/{guestId}',
    summary: 'Delete an invitation with the responses of its guest',
    description: 'If a deletion is interrupted, repeat the request to complete it.',
    access: { ...members, roles: ['admin'] },
    needs: ['table:read', 'table:write', 'table:remove'],
    success: { status: 204, description: 'The invitation and the responses are deleted.' },
  },
});
