/** Login through an identity provider. */
import * as z from 'zod';
import type { Opener } from '#core/access/access.ts';
import { problems } from '#core/problems/problems.ts';
import { schema } from '#core/schema/schema.ts';
import { type Callback, finishAuthorization, type Redirect, startAuthorization } from './authorization.ts';
import { findOrCreateAccount } from './identities.ts';
import type { LoginProvider, LoginQuery, ProviderName } from './model.ts';
import type { IdentityPorts } from './ports.ts';
import { parseLoginTargets, withOutcome } from './redirects.ts';
import { startSession } from './sessions.ts';

const LoginPayload = schema(() => z.object({ c: z.string(), r: z.string().optional() }));

/** Redirects to the provider. Throws 400 for targets that are not allowed, 503 while the provider cannot be reached. */
export async function startLogin(app: IdentityPorts, provider: LoginProvider, query: LoginQuery): Promise<Redirect> {
  const { base, ...payload } = parseLoginTargets(query, app.config);
  return startAuthorization(app, 'login', provider, payload, base);
}

/** Signs in and redirects to `c`, with an error code if the provider did not confirm an identity. Throws 400 for an unusable state. */
export async function finishLogin(app: IdentityPorts, provider: LoginProvider, callback: Callback): Promise<Redirect> {
  const { payload, cookies, outcome } = await finishAuthorization(app, 'login', provider, callback, LoginPayload);
  const { c, r } = payload;
  const forwarded = r === undefined ? {} : { r };
  if ('error' in outcome) {
    return { location: withOutcome(c, { ...forwarded, status: 'error', error: outcome.error }), cookies };
  }
  const account = await findOrCreateAccount(app, provider, outcome.profile);
  return { location: withOutcome(c, forwarded), cookies: [...cookies, ...(await startSession(app, account))] };
}

// Openers of the sign-in operations.

/** Opens the identity provider that a path parameter names; 404 for an unknown name and for one that is not configured. */
export const openProvider =
  <N extends ProviderName>(names: () => z.ZodType<N>, parameter: string): Opener<{ provider: N }, IdentityPorts> =>
  async ({ params, app }) => {
    const name = names().safeParse(params[parameter]);
    if (!name.success || !app.config.providers[name.data]) throw problems.notFound();
    return { resource: { provider: name.data }, roles: [] };
  };

/** Opens login by user ID to everybody where the configuration enables it, otherwise 404. */
export const openInternalLogin: Opener<Record<never, never>, IdentityPorts> = async ({ app }) => {
  if (!app.config.internalLogin) throw problems.notFound();
  return { resource: {}, roles: [] };
};
