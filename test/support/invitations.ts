/** Invitations to forms, and the guests who come with their codes. */

import { app } from '#core/http/app.ts';
import type { InvitationDocument } from '#core/invitations/model.ts';
import { clientWith, type Person, send } from './fixtures.ts';

type Inviting = { formId: string; member: Pick<Person, 'client'> };

/** Invites a guest to a form. */
export async function newInvitation(
  { formId, member }: Inviting,
  guest: { email?: string; label?: string; prefill?: Record<string, string> } = {},
): Promise<InvitationDocument> {
  const { body } = await member.client.invitations.createInvitations({ params: { formId }, body: { guests: [guest] } });
  const [invitation] = body.invitations;
  if (!invitation) throw new Error('no invitation was made');
  return invitation;
}

/** Sends a code to a form. */
export const sendCode = (formId: string, code: string): Promise<Response> =>
  send('POST', `/api/forms/${formId}/guests`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });

/** The guest who comes with a code. */
export async function guestWith(formId: string, code: string): Promise<Person> {
  const response = await sendCode(formId, code);
  if (response.status !== 201) throw new Error(`the code was refused: ${response.status}`);
  const { token } = (await response.json()) as { token: string };
  const guest = await app().tokens.verifyGuest(token, app().now());
  if (!guest) throw new Error('the credential is not that of a guest');
  return { id: guest.id, email: '', token, client: clientWith(token) };
}

/** An invited guest of a form, with the invitation. */
export async function newInvited(form: Inviting, guest: { email?: string; label?: string } = {}) {
  const invitation = await newInvitation(form, guest);
  return { invitation, guest: await guestWith(form.formId, invitation.code) };
}
