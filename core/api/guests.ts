/** The credential of guests, who respond to one form without an account. */
import * as z from 'zod';
import { Email } from '#core/invitations/model.ts';
import { Message, schema, Timestamp } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const GuestCredential = schema(() =>
  z
    .object({ token: z.string().describe('A bearer token for the operations of this form.'), expiresAt: Timestamp() })
    .meta({ id: 'GuestCredential' }),
);

const NewGuest = schema(() =>
  z
    .object({
      code: z
        .string()
        .max(100)
        .nullish()
        .describe(
          'Of an invitation, such as `0042-A7QK-3M9T-X2P`; in any case, with or without hyphens. Needed where the audience is INVITED.',
        ),
      email: Email()
        .nullish()
        .describe(
          'Where a link is mailed by which the guest begins. Needed where the audience is EMAIL, and only there.',
        ),
      link: z
        .string()
        .max(4_000)
        .nullish()
        .describe('Of a mailed link, the value of `guest` in its query, in place of a code or an address.'),
      proof: z
        .object({
          challenge: z.string().max(2_000).describe('The value of `guest-challenge`.'),
          solution: z.string().max(12).describe('A number in digits.'),
        })
        .nullish()
        .describe('Of work, after a 429 with the code `proof_needed`. It works once, for ten minutes.'),
    })
    .meta({ id: 'NewGuest' }),
);

export const guests = declare('guests', {
  admitGuest: {
    method: 'POST',
    path: '/forms/{formId}/guests',
    summary:
      'Become a guest of a form that takes responses without an account, by a mailed link or by the code of an invitation',
    description:
      'The credential is a bearer token and a cookie. It is accepted only where an operation says so, and only for this form: to start a response, and for what belongs to it. A guest has one draft at a time and at most 3 responses.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:list', 'table:write', 'tokens:sign', 'states:sign'],
    body: NewGuest,
    bodyOptional: true,
    success: { status: 201, description: 'The credential, valid for 30 days.', body: GuestCredential, cookies: true },
    otherSuccess: {
      status: 202,
      body: Message,
      description:
        'With `email`, whether or not the address is known: a link is mailed to it, 3 an hour at most, and not to a guest who was revoked, nor, while the form is closed, to one who has begun nothing. The page that it opens makes the browser that of the guest; a program sends the value of `guest` in it as `link`.',
    },
    problems: {
      400: 'The body is invalid; `email` is missing where the audience is EMAIL, or given where it is another one; or `code` is missing, is not the code of an invitation to this form, was replaced by a newer one, or the invitation was revoked; or `link` is that of a guest who has begun nothing, and the form is closed (`form_not_open`).',
      401: 'There is no such form, or it does not take responses without an account now.',
      404: 'The `link` is not one to this form, has expired, or its guest was revoked or has a newer link.',
      429: 'Twenty wrong codes were tried in this minute, and this is another one: a right one is still accepted. Without a code: the form takes files, or more than 60 people have begun it in this minute: or it is a request with `email`: send a proof of work, with the challenge in the header `guest-challenge`. The SHA-256 of the challenge, a full stop and the solution begins with 16 zero bits.',
    },
  },
});
