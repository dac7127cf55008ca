/** Openers of operations without a resource in the path, or about the caller. */
import { type Caller, type Opener, signedInCaller } from '#core/access/access.ts';
import { problems } from '#core/problems/problems.ts';
import type { Account } from './model.ts';
import { loadAccount } from './store.ts';

/** For operations without authentication. */
export const anyone: Opener<Record<never, never>> = async () => ({ resource: {}, roles: [] });

/** For signed-in callers; the account is not read. */
export const signedIn: Opener<{ caller: Caller }> = async ({ user }) => ({
  resource: { caller: signedInCaller(user) },
  roles: [],
});

/** The caller with their account, undefined if it no longer exists. */
export const signedInWithAccount: Opener<{ caller: Caller; account: Account | undefined }> = async ({ user, app }) => {
  const caller = signedInCaller(user);
  return { resource: { caller, account: await loadAccount(app.table, caller.id) }, roles: [] };
};

/** The caller with their account. Throws 401 when it no longer exists. */
export const openAccount: Opener<{ caller: Caller; account: Account }> = async ({ user, app }) => {
  const caller = signedInCaller(user);
  const account = await loadAccount(app.table, caller.id);
  if (!account) throw problems.unauthorized();
  return { resource: { caller, account }, roles: [], onboarded: account.onboarded };
};
