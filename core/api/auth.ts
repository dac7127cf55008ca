/** Operations of signing in and out (contract section 2). */
import { InternalLogin } from '#core/accounts/model.ts';
import { Message } from '#core/schema/model.ts';
import { declare } from './declare.ts';

export const auth = declare('auth', {
  loginInternal: {
    method: 'POST',
    path: '/auth/login/internal',
    summary: 'Log in by user ID',
    description: 'Only where the configuration enables it (local, tests, internal stages); elsewhere 404.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:write', 'tokens:sign'],
    body: InternalLogin,
    success: { status: 200, description: 'Signed in: the cookies are set.', body: Message, cookies: true },
    problems: { 404: 'There is no user of this ID, or this way to log in is not enabled.' },
    example: { body: { uid: '00000000-0000-4000-8000-0000000000a1' } },
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Exchange the refresh cookie for new cookies',
    description: 'Each refresh token works once. Using one again revokes the whole session.',
    access: { credential: 'refresh' },
    needs: ['table:read', 'table:write', 'tokens:sign'],
    success: { status: 200, description: 'The session goes on with new cookies.', body: Message, cookies: true },
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'Log out: revoke the refresh token and clear the cookies',
    access: { credential: 'none' },
    needs: ['table:write'],
    success: { status: 200, description: 'Signed out.', body: Message, cookies: true },
  },
});
