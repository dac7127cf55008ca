/** Authenticates the caller by the access token in the cookie or the header, and refuses requests of other sites. */
import type { Declaration } from '#core/api/declare.ts';
import { ACCESS_COOKIE, isAllowedOrigin, REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { problems } from '#core/problems/problems.ts';
import { cookie, credentialCookie, header } from '../request.ts';
import type { Step } from '../state.ts';

/**
 * Requires a valid access token, unless the operation needs none. Throws 401 if it is missing, invalid or not the only one.
 */
export const authenticate = ({ access }: Declaration): Step => ({
  before: async ({ event, internal }) => {
    if (access.credential !== 'user') return;
    const token = credentialCookie(event, ACCESS_COOKIE) ?? parseBearer(header(event, 'authorization'));
    const caller = token === undefined ? undefined : await internal.app.tokens.verify(token, internal.app.now());
    if (!caller) throw problems.unauthorized();
    internal.user = caller;
  },
});

const parseBearer = (value: string | undefined): string | undefined => /^Bearer +(\S+)$/i.exec(value ?? '')?.[1];

// Prevents cross-site request forgery: a write with an `Origin` that is not allowed is 403 if it has session cookies,
// and always if it starts, refreshes or ends a session.

/** Throws 403 for a write from an origin that is not allowed. */
export const checkOrigin = ({ method, access }: Declaration): Step => ({
  before: ({ event, internal }) => {
    const origin = header(event, 'origin');
    if (method === 'GET' || origin === undefined || isAllowedOrigin(origin, internal.app.config)) return;
    const hasCookies = cookie(event, ACCESS_COOKIE) !== undefined || cookie(event, REFRESH_COOKIE) !== undefined;
    if (hasCookies || access.credential !== 'user') throw problems.originNotAllowed(origin);
  },
});
