/** What a signed-in person does with their own account, where it meets other people's (contract section 2). */
import { untilWritten } from '#core/db/retry.ts';
import type { App } from '#core/http/app.ts';
import { problems } from '#core/problems/problems.ts';
import type { Account, Onboarding } from './model.ts';
import { loadAccount, nameAccount } from './store.ts';

/**
 * Gives an account the names that its owner chose, the first time or anew; answers the account as it is then. Throws
 * 409 when somebody else has the username, 401 when the account is gone meanwhile.
 */
export async function chooseNames(app: App, account: Account, names: Onboarding): Promise<Account> {
  const named = await untilWritten(async (first) => {
    const current = first ? account : await loadAccount(app.table, account.id);
    if (!current) throw problems.unauthorized();
    return nameAccount(app.table, current, names, app.now().toISOString());
  });
  if (named !== 'taken') return named;
  const detail = `The username "${names.username}" is in use: choose another`;
  throw problems.conflict('username_taken', detail, [{ pointer: '/body/username', detail: 'is in use' }]);
}
