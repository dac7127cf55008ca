/** Openers of operations whose path addresses nothing but, at most, the caller. */
import type { Opener } from '#core/http/operation.ts';
import { problems } from '#core/http/problems.ts';
import type { Caller } from '#core/http/tokens.ts';
import type { Account } from './model.ts';
import { loadAccount } from './store.ts';

/** For operations that everybody may call. */
export const anyone: Opener<Record<never, never>> = async () => ({ thing: {}, roles: [] });

/** For operations of a signed-in caller that need no account data. */
export const signedIn: Opener<{ user: Caller }> = async ({ user }) => ({ thing: { user: present(user) }, roles: [] });

/** The caller with their account; 401 when the account is gone. */
export const ownAccount: Opener<{ user: Caller; account: Account }> = async ({ user, app }) => {
  const caller = present(user);
  const account = await loadAccount(app.table, caller.id);
  if (!account) throw problems.unauthorized();
  return { thing: { user: caller, account }, roles: [], onboarded: account.onboarded };
};

/** The caller, whom the declaration's credential promises. */
export function present(user: Caller | undefined): Caller {
  if (!user) throw problems.unauthorized();
  return user;
}
