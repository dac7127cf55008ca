/** Changes of the current user's own account. */
import { untilWritten } from '#core/db/retry.ts';
import type { Table } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Account, Onboarding } from './model.ts';
import { loadAccount, nameAccount } from './store.ts';

/**
 * Sets the username and the name of an account, at onboarding or later, and returns the account. Throws 409 when
 * somebody else has the username, 401 when the account no longer exists.
 */
export async function chooseNames(
  { table, now }: { table: Table; now(): Date },
  account: Account,
  names: Onboarding,
): Promise<Account> {
  const result = await untilWritten(async (first) => {
    const current = first ? account : await loadAccount(table, account.id);
    if (!current) throw problems.unauthorized();
    return nameAccount(table, current, names, now().toISOString());
  });
  if (result !== 'taken') return result;
  throw problems.usernameTaken(names.username);
}
