/** Operations of signing in and out. */
import { CallbackQuery, InternalLogin, LOGIN_CALLBACK_PATH, LoginQuery } from '#core/identity/model.ts';
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
    problems: { 404: 'There is no user with this ID, or login by user ID is not enabled.' },
  },
  startLogin: {
    method: 'GET',
    path: '/auth/login/oauth/{oauthProvider}',
    summary: 'Log in through an identity provider',
    description: 'For a browser: redirects to the provider, which redirects to the callback, which redirects to `c`.',
    access: { credential: 'none' },
    needs: ['states:sign', 'providers:call'],
    query: LoginQuery,
    success: { status: 302, description: 'The page of the provider.', cookies: true },
    problems: {
      404: 'The provider is unknown or not configured.',
      503: 'The provider cannot be reached, or storage is busy; try again later.',
    },
  },
  finishLogin: {
    method: 'GET',
    path: LOGIN_CALLBACK_PATH,
    summary: 'Callback of a login through an identity provider',
    description:
      'Signs in the user of the identity. A new identity belongs to the user with the same verified e-mail address, else to a new user. On failure `c` gets `status=error&error=<code>`: the code of the provider, or `missing_code`, `exchange_failed`, `profile_failed`.',
    access: { credential: 'none' },
    needs: ['table:read', 'table:write', 'tokens:sign', 'states:sign', 'providers:call'],
    query: CallbackQuery,
    success: { status: 302, description: 'Back to `c`; signed in unless it has `status=error`.', cookies: true },
    problems: {
      400: 'The state is malformed, expired, used, or belongs to another provider or browser.',
      404: 'The provider is unknown or not configured.',
    },
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Exchange the refresh cookie for new cookies',
    description:
      'Replaces the refresh token. For 60 seconds the replaced token still renews the session (two tabs, a lost response); using it later revokes the session. A 401 clears the cookies.',
    access: { credential: 'refresh' },
    needs: ['table:read', 'table:write', 'tokens:sign'],
    success: { status: 200, description: 'The session continues with new cookies.', body: Message, cookies: true },
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'Log out: revoke the refresh token and clear the cookies',
    access: { credential: 'none' },
    needs: ['table:write'],
    success: { status: 200, description: 'Signed out.', body: Message, cookies: true },
    problems: { 401: 'Several cookies `refresh_token` were sent.' },
  },
});
