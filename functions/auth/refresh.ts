/** Exchanges the refresh cookie for new cookies. */
import { anyone } from '#core/accounts/accounts.ts';
import { auth } from '#core/api/auth.ts';
import { operation } from '#core/http/operation.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { refreshSession } from '#core/identity/sessions.ts';

export const handler = operation(auth.refresh, anyone, async ({ app, readCookie }) => ({
  body: { message: 'Session refreshed' },
  cookies: await refreshSession(app, readCookie(REFRESH_COOKIE)),
}));
