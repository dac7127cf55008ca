/** Gives the current user a username and a nickname, the first time or anew. */

import { showUser } from '#core/accounts/model.ts';
import { ownAccount } from '#core/accounts/open.ts';
import { chooseNames } from '#core/accounts/service.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.onboardUser, ownAccount, async ({ account, body, app }) => ({
  body: showUser(await chooseNames(app, account, body), app.config.operatorEmails),
}));
