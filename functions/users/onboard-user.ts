/** Sets the username and the name of the current user, at onboarding or later. */
import { showUser } from '#core/accounts/model.ts';
import { openAccount } from '#core/accounts/open.ts';
import { chooseNames } from '#core/accounts/service.ts';
import { users } from '#core/api/users.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(users.onboardUser, openAccount, async ({ account, body, app }) => ({
  body: showUser(await chooseNames(app, account, body), app.config.operatorEmails),
}));
