/**
 * Prevents cross-site request forgery: a write with an `Origin` that is not allowed is 403 if it has session cookies,
 * and always if it starts, refreshes or ends a session.
 */
import type { Declaration } from '#core/api/declare.ts';
import { ACCESS_COOKIE, isAllowedOrigin, REFRESH_COOKIE } from '#core/identity/origins.ts';
import { problems } from '#core/problems/problems.ts';
import { cookie, header } from '../request.ts';
import type { Step } from '../state.ts';

/** The step. */
export const checkOrigin = ({ method, access }: Declaration): Step => ({
  before: ({ event, internal }) => {
    const origin = header(event, 'origin');
    if (method === 'GET' || origin === undefined || isAllowedOrigin(origin, internal.app.config)) return;
    const hasCookies = cookie(event, ACCESS_COOKIE) !== undefined || cookie(event, REFRESH_COOKIE) !== undefined;
    if (hasCookies || access.credential !== 'user') throw problems.originNotAllowed(origin);
  },
});
