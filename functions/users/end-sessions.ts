/** Ends all sessions of the current user, and clears the cookies of this one. */
import { openAccount } from '#core/accounts/accounts.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';
import { endAllSessions } from '#core/identity/sessions.ts';

export const handler = operation(users.endSessions, openAccount, async ({ account, app }) => ({
  body: undefined,
  cookies: await endAllSessions(app, account),
}));
