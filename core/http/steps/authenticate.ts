/** Authenticates the caller by the access token in the cookie or the header; 401 if it is missing, invalid or not the only one. */
import type { Declaration } from '#core/api/declare.ts';
import { ACCESS_COOKIE } from '#core/identity/origins.ts';
import { problems } from '#core/problems/problems.ts';
import { credentialCookie, header } from '../request.ts';
import type { Step } from '../state.ts';

/** The step. Does nothing for operations that need no access token. */
export const authenticate = ({ access }: Declaration): Step => ({
  before: async ({ event, internal }) => {
    if (access.credential !== 'user') return;
    const token = credentialCookie(event, ACCESS_COOKIE) ?? bearer(header(event, 'authorization'));
    const caller = token === undefined ? undefined : await internal.app.tokens.verify(token, internal.app.now());
    if (!caller) throw problems.unauthorized();
    internal.user = caller;
  },
});

const bearer = (value: string | undefined): string | undefined => /^Bearer +(\S+)$/i.exec(value ?? '')?.[1];
