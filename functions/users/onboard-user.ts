/** Sets the username and the name of the current user, at onboarding or later. */

import { chooseNames, openAccount } from '#core/accounts/accounts.ts';
import { presentUser } from '#core/accounts/model.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.onboardUser, openAccount, async ({ account, body, app }) => ({
  body: presentUser(await chooseNames(app, account, body), app.config.operatorEmails),
}));
