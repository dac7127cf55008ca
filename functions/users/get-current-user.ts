/** Who is signed in. */

import { showUser } from '#core/accounts/model.ts';
import { ownAccount } from '#core/accounts/open.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.getCurrentUser, ownAccount, async ({ account, app }) => ({
  body: showUser(account, app.config.operatorEmails),
}));
