/** Openers of the sign-in operations. */
import type * as z from 'zod';
import type { Opener } from '#core/access/access.ts';
import { problems } from '#core/problems/problems.ts';
import type { ProviderName } from './model.ts';
import type { IdentityPorts } from './ports.ts';

/** The identity provider that a path parameter names; 404 for an unknown name and for one that is not configured. */
export const openProvider =
  <N extends ProviderName>(names: () => z.ZodType<N>, parameter: string): Opener<{ provider: N }, IdentityPorts> =>
  async ({ params, app }) => {
    const name = names().safeParse(params[parameter]);
    if (!name.success || !app.config.providers[name.data]) throw problems.notFound();
    return { resource: { provider: name.data }, roles: [] };
  };

/** For login by user ID: open to everybody where the configuration enables it, otherwise 404. */
export const openInternalLogin: Opener<Record<never, never>, IdentityPorts> = async ({ app }) => {
  if (!app.config.internalLogin) throw problems.notFound();
  return { resource: {}, roles: [] };
};
