/** Openers of operations whose path addresses nothing but, at most, the caller. */
import type * as z from 'zod';
import type { App } from '#core/http/app.ts';
import type { Opener } from '#core/http/operation.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import type { Account } from './model.ts';
import { loadAccount } from './store.ts';

/** For operations that everybody may call. */
export const anyone: Opener<Record<never, never>> = async () => ({ thing: {}, roles: [] });

/** For operations of a signed-in caller that need no account data. */
export const signedIn: Opener<{ user: Caller }> = async ({ user }) => ({ thing: { user: present(user) }, roles: [] });

type ProviderName = keyof App['config']['providers'];

/** Opens the provider that a path parameter names; 404 where it is not configured, as for one that there is not. */
export const provider =
  <N extends ProviderName>(names: () => z.ZodType<N>, parameter: string): Opener<{ provider: N }> =>
  async ({ params, app }) => {
    const named = names().safeParse(params[parameter]);
    if (!named.success || !app.config.providers[named.data]) throw problems.notFound();
    return { thing: { provider: named.data }, roles: [] };
  };

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
