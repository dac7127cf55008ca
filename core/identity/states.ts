/**
 * States: what the service hands to a browser that leaves for a provider and comes back (contract sections 2 and 10).
 * Signed, for one purpose, for some minutes; readable, so nothing secret is in them. What binds a state to its browser
 * is a cookie with the PKCE verifier, of which the state holds the challenge.
 */
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

type Claims = Record<string, unknown>;

export type States = {
  /** A state with some claims that `open` accepts for so many seconds. */
  sign(purpose: string, claims: Claims, seconds: number, now: Date): Promise<string>;
  /** The claims of a state of that purpose; undefined when it is malformed, expired, forged, or of another purpose. */
  open(purpose: string, state: string, now: Date): Promise<Claims | undefined>;
};

/** States under a secret. */
export function signedStates(secret: string): States {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'states', 32));
  return {
    sign(purpose, claims, seconds, now) {
      const issuedAt = Math.floor(now.getTime() / 1_000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(purpose)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(key);
    },
    async open(purpose, state, now) {
      const checks = { algorithms: ['HS256'], audience: purpose, requiredClaims: ['exp'], currentDate: now };
      const verified = await jwtVerify(state, key, checks).catch(() => undefined);
      return verified?.payload;
    },
  };
}
