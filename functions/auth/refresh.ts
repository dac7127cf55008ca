/** Exchanges the refresh cookie for new cookies; each refresh token works once. */

import { anyone } from '#core/accounts/open.ts';
import { auth } from '#core/api/auth.ts';
import { REFRESH_COOKIE } from '#core/http/credential.ts';
import { operation } from '#core/http/operation.ts';
import { cookie } from '#core/http/request.ts';
import { refreshSession } from '#core/identity/sessions.ts';

export const handler = operation(auth.refresh, anyone, async ({ event, app }) => ({
  body: { message: 'Session refreshed' },
  cookies: await refreshSession(app, cookie(event, REFRESH_COOKIE)),
}));
