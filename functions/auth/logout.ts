/** Revokes the refresh token and clears the cookies. */
import { anyone } from '#core/accounts/accounts.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { endSession } from '#core/identity/sessions.ts';

export const handler = operation(auth.logout, anyone, async ({ app, readCookie }) => ({
  body: { message: 'Signed out' },
  cookies: await endSession(app, readCookie(REFRESH_COOKIE)),
}));
