/**
 * Authenticates the caller by the access token in the cookie or the header, or a guest by the credential of the form, and
 * refuses requests of other sites.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Caller } from '#core/access/access.ts';
import { type Declaration, parameterNames } from '#core/api/declare.ts';
import { formKey } from '#core/db/keys.ts';
import { findCurrentGuest } from '#core/identity/current-guest.ts';
import {
  ACCESS_COOKIE,
  GUEST_COOKIES,
  guestCookie,
  isAllowedOrigin,
  REFRESH_COOKIE,
} from '#core/identity/redirects.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import type { App } from '../app.ts';
import { cookie, cookiesWith, credentialCookie, header, readParams } from '../request.ts';
import type { Step } from '../state.ts';

/**
 * Requires a valid access token, unless the operation needs none; where it admits guests, the credential of one suffices.
 * Throws 401 if it is missing, invalid or not the only one.
 */
export const authenticate = (declaration: Declaration): Step => ({
  before: async ({ event, internal }) => {
    if (declaration.access.credential !== 'user') return;
    const bearer = parseBearer(header(event, 'authorization'));
    const token = credentialCookie(event, ACCESS_COOKIE) ?? bearer;
    const account = token === undefined ? undefined : await internal.app.tokens.verify(token, internal.app.now());
    // An access token is no guest credential: to verify it as one, too, would cost as much again.
    const guestBearer = account && token === bearer ? undefined : bearer;
    internal.guest = await findGuest(internal.app, event, declaration, guestBearer);
    const caller = account ?? internal.guest;
    if (!caller) throw problems.unauthorized();
    internal.user = caller;
  },
});

const parseBearer = (value: string | undefined): string | undefined => /^Bearer +(\S+)$/i.exec(value ?? '')?.[1];

/**
 * Finds the guest of the form of a path: whose credential is the bearer token or in the cookie of that form, and only where
 * guests are admitted by declaration. Every parameter of the path must be an id within the form. The invitation of an invited guest is
 * read here, for every request, so that none can forget that it was revoked. Where the installation takes no guests any more, they finish
 * what they have begun.
 */
export async function findGuest(
  { config, tokens, now, table }: App,
  event: APIGatewayProxyEventV2,
  { path, access }: Pick<Declaration, 'path' | 'access'>,
  bearer?: string,
): Promise<Caller | undefined> {
  if (!access.guests) return undefined;
  const ids = Object.values(readParams(event, parameterNames(path)));
  const [key] = ids.map(formKey);
  if (key === undefined || !ids.every((id) => isId(id) && formKey(id) === key)) return undefined;
  for (const token of [bearer, credentialCookie(event, guestCookie(key))]) {
    const guest = token === undefined ? undefined : await tokens.verifyGuest(token, now());
    const current = guest?.guestOf === key ? await findCurrentGuest({ table }, guest) : undefined;
    if (current) return config.guests ? current : { ...current, mayOnlyFinish: true };
  }
  return undefined;
}

// Prevents cross-site request forgery: a write with an `Origin` that is not allowed is 403 if it has session cookies,
// and always if it starts, refreshes or ends a session.

/** Throws 403 for a write from an origin that is not allowed. */
export const checkOrigin = ({ method, access }: Declaration): Step => ({
  before: ({ event, internal }) => {
    const origin = header(event, 'origin');
    if (method === 'GET' || origin === undefined || isAllowedOrigin(origin, internal.app.config)) return;
    const hasCookies =
      [ACCESS_COOKIE, REFRESH_COOKIE].some((name) => cookie(event, name) !== undefined) ||
      cookiesWith(event, GUEST_COOKIES).length > 0;
    if (hasCookies || access.credential !== 'user') throw problems.originNotAllowed(origin);
  },
});
