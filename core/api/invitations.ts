/** Operations of invitations: guests of a form whom its organization has named. */
import {
  InvitationDocument,
  InvitationList,
  InvitationListQuery,
  InvitationPatch,
  Invitations,
  InvitationsInput,
} from '#core/invitations/model.ts';
import { declare } from './declare.ts';

const members = { credential: 'user', target: 'form', roles: ['member'] } as const;

export const invitations = declare('invitations', {
  createInvitations: {
    method: 'POST',
    path: '/forms/{formId}/invitations',
    summary: 'Invite guests to a form',
    description: 'At most 90 in a request, and 10,000 to a form. Nothing is sent to them.',
    access: members,
    needs: ['table:read', 'table:write'],
    body: InvitationsInput,
    idempotent: true,
    success: { status: 201, description: 'An invitation for each guest, in order.', body: Invitations },
  },
  listInvitations: {
    method: 'GET',
    path: '/forms/{formId}/invitations',
    summary: 'List the invitations to a form with their codes',
    access: members,
    needs: ['table:read', 'table:list'],
    query: InvitationListQuery,
    success: { status: 200, description: 'Invitations by their numbers.', body: InvitationList },
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
