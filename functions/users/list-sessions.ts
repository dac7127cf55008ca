/** Lists the sessions of the current user. */
import { openAccount } from '#core/accounts/accounts.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { listSessions } from '#core/identity/sessions.ts';

export const handler = operation(users.listSessions, openAccount, async ({ account, app, readCookie }) => ({
  body: { sessions: await listSessions(app, account, readCookie(REFRESH_COOKIE)) },
}));
