/** Operations of signing in and out (contract section 2). */
import { CallbackQuery, InternalLogin, LoginQuery } from '#core/accounts/model.ts';
import { Message } from '#core/schema/schema.ts';
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
  startLogin: {
    method: 'GET',
    path: '/auth/login/oauth/{oauthProvider}',
    summary: 'Log in through an identity provider',
    description: 'For a browser: it goes to the provider, from there to the callback, and from there to `c`.',
    access: { credential: 'none' },
    needs: ['providers:call'],
    query: LoginQuery,
    success: { status: 302, description: 'The page of the provider.', cookies: true },
    problems: {
      404: 'There is no such provider here.',
      503: 'The provider cannot be reached, or storage is busy; repeat later.',
    },
  },
  finishLogin: {
    method: 'GET',
    path: '/auth/login/oauth/{oauthProvider}/callback',
    summary: 'Come back from an identity provider',
    description:
      'Signs in the user whose identity it is. A new identity belongs to the user with the same verified e-mail address, else to a new user. What went wrong is told to `c` as `status=error&error=<code>`: the code of the provider, or `missing_code`, `exchange_failed`, `profile_failed`.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:write', 'tokens:sign', 'providers:call'],
    query: CallbackQuery,
    success: { status: 302, description: 'Back to `c`, signed in unless it says `status=error`.', cookies: true },
    problems: {
      400: 'The state is malformed, expired, used, of another provider or of another browser.',
      404: 'There is no such provider here.',
    },
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
