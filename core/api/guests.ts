/** The credential of guests, who respond to one form without an account. */
import * as z from 'zod';
import { schema, Timestamp } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const GuestCredential = schema(() =>
  z
    .object({ token: z.string().describe('A bearer token for the operations of this form.'), expiresAt: Timestamp() })
    .meta({ id: 'GuestCredential' }),
);

export const guests = declare('guests', {
  admitGuest: {
    method: 'POST',
    path: '/forms/{formId}/guests',
    summary: 'Become a guest of a form that takes responses without an account',
    description:
      'The credential is a bearer token and a cookie. It is accepted only where an operation says so, and only for this form: to start a response, and for what belongs to it. A guest has one draft at a time and at most 3 responses.',
    access: { credential: 'none' },
    needs: ['table:read', 'tokens:sign'],
    success: { status: 201, description: 'The credential, valid for 30 days.', body: GuestCredential, cookies: true },
    problems: { 401: 'There is no such form, or it does not take responses without an account now.' },
  },
});
