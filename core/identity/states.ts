/**
 * The `state` of authorization requests: signed claims for one purpose that expire after some minutes. Clients can read
 * them, so they contain no secrets.
 */
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { epochSeconds } from '#core/schema/format.ts';

type Claims = Record<string, unknown>;

export type States = {
  /** Signs claims for a purpose; `seconds` is the lifetime of the state. */
  sign(purpose: string, claims: Claims, seconds: number, now: Date): Promise<string>;
  /** The claims of a state; undefined when it is malformed, expired, forged, or for another purpose. */
  open(purpose: string, state: string, now: Date): Promise<Claims | undefined>;
};

/** Creates states signed with a secret, which is read at the first use. */
export function signedStates(settings: { readonly stateSecret: string }): States {
  let derived: Uint8Array | undefined;
  const key = (): Uint8Array => {
    derived ??= new Uint8Array(hkdfSync('sha256', settings.stateSecret, '', 'states', 32));
    return derived;
  };
  return {
    async sign(purpose, claims, seconds, now) {
      const issuedAt = epochSeconds(now);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(purpose)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(key());
    },
    async open(purpose, state, now) {
      const checks = { algorithms: ['HS256'], audience: purpose, requiredClaims: ['exp'], currentDate: now };
      const verified = await jwtVerify(state, key(), checks).catch(() => undefined);
      return verified?.payload;
    },
  };
}
