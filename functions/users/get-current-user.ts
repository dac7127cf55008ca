/** Returns the current user. */

import { openAccount } from '#core/accounts/accounts.ts';
import { showUser } from '#core/accounts/model.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.getCurrentUser, openAccount, async ({ account, app }) => ({
  body: showUser(account, app.config.operatorEmails),
}));
