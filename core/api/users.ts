/** Operations of the current user. */
import { Onboarding, User } from '#core/accounts/model.ts';
import { declare } from './declare.ts';

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
    problems: { 409: 'The username is in use by somebody else.' },
  },
});
