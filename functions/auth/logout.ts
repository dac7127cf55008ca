/** Revokes the refresh token and clears the cookies; fine without either. */

import { anyone } from '#core/accounts/open.ts';
import { auth } from '#core/api/auth.ts';
import { REFRESH_COOKIE } from '#core/http/credential.ts';
import { operation } from '#core/http/operation.ts';
import { cookie } from '#core/http/request.ts';
import { endSession } from '#core/identity/sessions.ts';

export const handler = operation(auth.logout, anyone, async ({ event, app }) => ({
  body: { message: 'Signed out' },
  cookies: await endSession(app, cookie(event, REFRESH_COOKIE)),
}));
