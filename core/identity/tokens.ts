/**
 * Access tokens: JWTs signed with Ed25519. They are verified locally with a set of public keys, so that keys can be
 * rotated while users stay signed in; the signing key is read only where tokens are signed.
 */
import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose';
import type { Caller, UserRole } from '#core/access/access.ts';
import { epochSeconds } from '#core/schema/format.ts';

export type TokenSettings = {
  readonly publicKeys: JSONWebKeySet;
  /** The private key; its `kid` names one of the public keys. */
  readonly key: JWK & { kid: string };
  issuer: string;
  audience: string;
  accessMinutes: number;
};

export type Tokens = {
  /** A new access token of a caller. */
  sign(caller: Caller, now: Date): Promise<string>;
  /** The caller of a token; undefined when it is malformed, expired, forged or of another service. */
  verify(token: string, now: Date): Promise<Caller | undefined>;
};

/** The number of verified tokens that are cached, so that each signature is checked once. */
const MAX_VERIFIED = 1_000;

/** Creates the port to tokens with the configured keys, which are imported at their first use. */
export function signedTokens(settings: TokenSettings): Tokens {
  const { issuer, audience, accessMinutes } = settings;
  const verified = verifiedTokens();
  let signingKey: ReturnType<typeof importJWK> | undefined;
  let publicKeys: ReturnType<typeof createLocalJWKSet> | undefined;
  return {
    async sign(caller, now) {
      signingKey ??= importJWK(settings.key, 'EdDSA');
      const issuedAt = epochSeconds(now);
      return new SignJWT({ roles: [...caller.roles] })
        .setProtectedHeader({ alg: 'EdDSA', kid: settings.key.kid })
        .setSubject(caller.id)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessMinutes * 60)
        .sign(await signingKey);
    },
    async verify(token, now) {
      const cached = verified.find(token, now);
      if (cached) return cached;
      publicKeys ??= createLocalJWKSet(settings.publicKeys);
      const requiredClaims = ['sub', 'exp'];
      const checks = { algorithms: ['EdDSA'], issuer, audience, requiredClaims, currentDate: now };
      const { sub, exp, roles } = (await jwtVerify(token, publicKeys, checks).catch(() => undefined))?.payload ?? {};
      if (sub === undefined || exp === undefined) return undefined;
      return verified.add(token, { id: sub, roles: readRoles(roles) }, exp);
    },
  };
}

/** Creates a cache of callers by verified token, until the token expires; the least recently used one is dropped first. */
function verifiedTokens() {
  const entries = new Map<string, { caller: Caller; exp: number }>();
  const add = (token: string, caller: Caller, exp: number): Caller => {
    const [oldest] = entries.keys();
    if (entries.size >= MAX_VERIFIED && oldest !== undefined) entries.delete(oldest);
    entries.set(token, { caller, exp });
    return caller;
  };
  const find = (token: string, now: Date): Caller | undefined => {
    const entry = entries.get(token);
    // A Map keeps insertion order: deleting and adding a token makes it the newest.
    entries.delete(token);
    return entry && entry.exp > epochSeconds(now) ? add(token, entry.caller, entry.exp) : undefined;
  };
  return { add, find };
}

const readRoles = (claim: unknown): UserRole[] =>
  Array.isArray(claim) ? claim.filter((role): role is UserRole => role === 'USER' || role === 'ADMIN') : [];
