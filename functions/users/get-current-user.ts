/** Returns the current user. */

import { openAccount } from '#core/accounts/accounts.ts';
import { presentUser } from '#core/accounts/model.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.getCurrentUser, openAccount, async ({ account, app }) => ({
  body: presentUser(account, app.config.operatorEmails),
}));
