/** Operations of the current user. */
import * as z from 'zod';
import { Onboarding, User } from '#core/accounts/model.ts';
import { schema, Timestamp } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const Sessions = schema(() =>
  z
    .object({
      sessions: z.array(
        z.object({
          createdAt: Timestamp().describe('When the person signed in.'),
          usedAt: Timestamp().describe(
            'When the session was last renewed: at most the life of an access token before its last use.',
          ),
          expiresAt: Timestamp(),
          isCurrent: z.boolean().describe('It is that of the cookies of this request.'),
        }),
      ),
    })
    .meta({ id: 'SessionList' }),
);

export const users = declare('users', {
  getCurrentUser: {
    method: 'GET',
    path: '/users/me',
    summary: 'Get the current user',
    access: { credential: 'user' },
    needs: ['table:read'],
    success: { status: 200, description: 'The current user.', body: User },
  },
  onboardUser: {
    method: 'PUT',
    path: '/users/onboarding',
    summary: 'Choose or change the username and the name of the current user',
    access: { credential: 'user' },
    needs: ['table:read', 'table:write'],
    body: Onboarding,
    success: { status: 200, description: 'The user with the new names.', body: User },
    problems: { 409: 'The username is in use by somebody else, or reserved.' },
  },
  listSessions: {
    method: 'GET',
    path: '/users/me/sessions',
    summary: 'List the sessions of the current user',
    description: 'Those that can still be renewed among the 50 that began last; the last used one first.',
    access: { credential: 'user' },
    needs: ['table:read', 'table:list'],
    success: { status: 200, description: 'The sessions.', body: Sessions },
  },
  endSessions: {
    method: 'DELETE',
    path: '/users/me/sessions',
    summary: 'Sign out everywhere: end all sessions of the current user',
    description:
      'No session is renewed any more, that of this request included. Access tokens stay valid until they expire.',
    access: { credential: 'user' },
    needs: ['table:read', 'table:write'],
    success: { status: 204, description: 'All sessions have ended.', cookies: true },
  },
});
