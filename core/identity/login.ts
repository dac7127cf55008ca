/** Signing in through a provider of identities: off to its page, and back to the front end (contract section 2). */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { CallbackQuery, LoginProvider, LoginQuery } from '#core/accounts/model.ts';
import type { App } from '#core/http/app.ts';
import { arrive, depart } from '#core/identity/authorization.ts';
import { loginTargets, type Outcome, withOutcome } from '#core/identity/redirects.ts';
import { schema } from '#core/schema/schema.ts';
import { introduce } from './callback.ts';
import { accountOfIdentity } from './identities.ts';
import { startSession } from './sessions.ts';

/** Where a browser goes, and with which cookies. */
export type Redirect = { location: string; cookies: string[] };

/** What a login comes back with: where it ends. */
const Carried = schema(() => z.object({ c: z.string(), r: z.string().optional() }));

/** Sends a browser to a provider. Throws 400 for targets that are not allowed, 503 while the provider cannot be used. */
export async function startLogin(app: App, provider: LoginProvider, query: LoginQuery): Promise<Redirect> {
  const { base, ...carried } = loginTargets(query, app.config);
  return depart(app, 'login', { provider, base, carried });
}

/**
 * Signs in the browser that came back from a provider, and sends it to `c`, which also learns what went wrong. Throws
 * 400 for an unusable state.
 */
export async function finishLogin(
  app: App,
  provider: LoginProvider,
  query: CallbackQuery,
  event: APIGatewayProxyEventV2,
): Promise<Redirect> {
  const arrival = await arrive(app, 'login', { provider, state: query.state, event });
  const { c, r } = Carried().parse(arrival.carried);
  const back = (outcome: Outcome): string => withOutcome(c, { ...(r === undefined ? {} : { r }), ...outcome });
  const introduced = await introduce(app, provider, arrival, query);
  if ('error' in introduced) {
    return { location: back({ status: 'error', error: introduced.error }), cookies: arrival.cookies };
  }
  const account = await accountOfIdentity(app, provider, introduced.profile);
  return { location: back({}), cookies: [...arrival.cookies, ...(await startSession(app, account))] };
}
