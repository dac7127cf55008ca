/** Gives the current user a username and a nickname, the first time or anew. */

import { showUser } from '#core/accounts/model.ts';
import { ownAccount } from '#core/accounts/open.ts';
import { loadAccount, nameAccount } from '#core/accounts/store.ts';
import { users } from '#core/api/users.ts';
import { untilWritten } from '#core/db/retry.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/http/problems.ts';

export const handler = operation(users.onboardUser, ownAccount, async ({ account, body, app }) => {
  const named = await untilWritten(async (first) => {
    const current = first ? account : await loadAccount(app.table, account.id);
    if (!current) throw problems.unauthorized();
    return nameAccount(app.table, current, body, app.now().toISOString());
  });
  if (named === 'taken') {
    const detail = `The username "${body.username}" is in use: choose another`;
    throw problems.conflict('username_taken', detail, [{ pointer: '/body/username', detail: 'is in use' }]);
  }
  return { body: showUser(named, app.config.operatorEmails) };
});
