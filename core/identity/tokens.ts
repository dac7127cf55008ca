/**
 * Access tokens: JWTs signed with Ed25519 (contract section 2). The key is imported once per process;
 * verifying needs no round trip, which is why an access token lives for an hour at the most.
 */
import { type CryptoKey, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import type { UserRole } from '#core/accounts/model.ts';
import type { Config } from '#core/aws/config.ts';

/** Who calls, as their access token says. */
export type Caller = { id: string; roles: readonly UserRole[] };

export type Tokens = {
  /** A new access token. */
  sign(caller: Caller, now: Date): Promise<string>;
  /** The caller of a token, or undefined when it is malformed, expired, foreign or forged. */
  verify(token: string, now: Date): Promise<Caller | undefined>;
};

/** Tokens under the configured key. */
export function signedTokens(settings: Config['token']): Tokens {
  let keys: Promise<{ secret: CryptoKey; open: CryptoKey }> | undefined;
  const loaded = () => {
    keys ??= importKeys(settings.key);
    return keys;
  };
  return {
    async sign(caller, now) {
      const { secret } = await loaded();
      const seconds = Math.floor(now.getTime() / 1_000);
      return new SignJWT({ roles: [...caller.roles] })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(caller.id)
        .setIssuer(settings.issuer)
        .setAudience(settings.audience)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + settings.accessMinutes * 60)
        .sign(secret);
    },
    async verify(token, now) {
      const { open } = await loaded();
      const checks = {
        algorithms: ['EdDSA'],
        issuer: settings.issuer,
        audience: settings.audience,
        requiredClaims: ['sub', 'exp'],
        currentDate: now,
      };
      const verified = await jwtVerify(token, open, checks).catch(() => undefined);
      const subject = verified?.payload.sub;
      if (!verified || subject === undefined) return undefined;
      return { id: subject, roles: readRoles(verified.payload.roles) };
    },
  };
}

const readRoles = (claim: unknown): UserRole[] =>
  Array.isArray(claim) ? claim.filter((role): role is UserRole => role === 'USER' || role === 'ADMIN') : [];

async function importKeys(json: string): Promise<{ secret: CryptoKey; open: CryptoKey }> {
  const jwk: JWK = JSON.parse(json);
  const { d: _secretPart, ...publicPart } = jwk;
  const [secret, open] = await Promise.all([importJWK(jwk, 'EdDSA'), importJWK(publicPart, 'EdDSA')]);
  if (secret instanceof Uint8Array || open instanceof Uint8Array) throw new Error('TOKEN_KEY must be an Ed25519 JWK');
  return { secret, open };
}
