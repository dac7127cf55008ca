/**
 * Access tokens, guest credentials and links in mails: JWTs signed with Ed25519. They are verified locally with a set of public keys, so that keys can be
 * rotated while users stay signed in; the signing key is read only where tokens are signed.
 */
import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Caller, UserRole } from '#core/access/access.ts';
import { formKey, isInvitedId } from '#core/db/keys.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { isId } from '#core/schema/schema.ts';

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
  /** A new guest credential, for 30 days. It is signed for another audience, so it is never taken for an access token. */
  signGuest(guest: Guest, now: Date): Promise<string>;
  /** A token for the link with which a guest continues in another browser, for 30 days; it is no credential itself. */
  signGuestLink(guest: GuestLink, now: Date): Promise<string>;
  /** The guest of such a link; undefined like `verifyGuest`. */
  verifyGuestLink(token: string, now: Date): Promise<GuestLink | undefined>;
  /** A token for the link with which the reader of a mail ends the mails of an organization to their address, for a year. */
  signUnsubscribe(mail: EndableMail, now: Date): Promise<string>;
  /** What such a link ends; undefined like `verifyGuest`. */
  verifyUnsubscribe(token: string, now: Date): Promise<EndableMail | undefined>;
  /** The guest of a credential; undefined when it is malformed, expired, forged or no guest credential. */
  verifyGuest(token: string, now: Date): Promise<Guest | undefined>;
};

/**
 * A respondent of one form without an account. `generation`: of the code with which an invited one came; `codeAt`: when, in epoch
 * seconds, unless it was by a link to their answers.
 */
export type Guest = Caller & { guestOf: string; generation?: number; codeAt?: number };

/** Mails of an organization to an address, of which only a hash is known. */
export type MailOfOrganization = { orgId: string; addressHash: string };

/** Mails to a member about new responses to a form. */
export type NoticesOfForm = { formId: string; userId: string };
export type EndableMail = MailOfOrganization | NoticesOfForm;

/** How long the link in a mail ends mails: it lies in a mailbox. */
const UNSUBSCRIBE_SECONDS = 365 * 24 * 60 * 60;
/** The guest of a link. `email`: the address to which it was mailed, if the guest may be one who confirms it by the link. */
export type GuestLink = Guest & { email?: string };

/** How long a guest credential is valid. */
export const GUEST_SECONDS = 30 * 24 * 60 * 60;

/** The number of verified tokens that are cached, so that each signature is checked once. */
const MAX_VERIFIED = 1_000;

/** Creates the port to tokens with the configured keys, which are imported at their first use. */
export function signedTokens(settings: TokenSettings): Tokens {
  const accounts = tokensFor(settings, settings.audience, readAccount);
  const guests = tokensFor(settings, `${settings.audience}/guest`, readGuest);
  const links = tokensFor(settings, `${settings.audience}/guest-link`, readGuestLink);
  const mails = tokensFor(settings, `${settings.audience}/unsubscribe`, readMail);
  return {
    sign: ({ id, roles }, now) => accounts.sign(id, { roles: [...roles] }, settings.accessMinutes * 60, now),
    verify: accounts.verify,
    signGuest: (guest, now) => guests.sign(guest.id, writeGuest(guest), GUEST_SECONDS, now),
    verifyGuest: guests.verify,
    signGuestLink: (guest, now) => links.sign(guest.id, writeGuestLink(guest), GUEST_SECONDS, now),
    verifyGuestLink: links.verify,
    signUnsubscribe: (mail, now) =>
      'orgId' in mail
        ? mails.sign(mail.orgId, { address: mail.addressHash }, UNSUBSCRIBE_SECONDS, now)
        : mails.sign(mail.userId, { form: mail.formId }, UNSUBSCRIBE_SECONDS, now),
    verifyUnsubscribe: mails.verify,
  };
}

const readAccount = (id: string, { roles }: JWTPayload): Caller => ({ id, roles: readRoles(roles) });

const writeGuest = ({ guestOf, generation, codeAt }: Guest): JWTPayload => ({
  form: guestOf,
  ...(generation !== undefined && { generation }),
  ...(codeAt !== undefined && { codeAt }),
});

/** The id of a guest is within the form that the credential names; that of an invited one comes with a generation. */
function readGuest(id: string, { form, generation, codeAt }: JWTPayload): Guest | undefined {
  if (!isId(id) || typeof form !== 'string' || formKey(id) !== form) return undefined;
  const guest = { id, roles: [], guestOf: form };
  if (!isInvitedId(id)) return guest;
  return typeof generation === 'number'
    ? { ...guest, generation, ...(typeof codeAt === 'number' && { codeAt }) }
    : undefined;
}

/** The subject is an organization, or the member of one. */
function readMail(id: string, { address, form }: JWTPayload): EndableMail | undefined {
  if (!isId(id)) return undefined;
  if (typeof address === 'string') return { orgId: id, addressHash: address };
  return typeof form === 'string' && isId(form) ? { formId: form, userId: id } : undefined;
}

const writeGuestLink = ({ email, ...guest }: GuestLink): JWTPayload => ({
  ...writeGuest(guest),
  ...(email !== undefined && { email }),
});

function readGuestLink(id: string, claims: JWTPayload): GuestLink | undefined {
  const guest = readGuest(id, claims);
  return guest && typeof claims.email === 'string' ? { ...guest, email: claims.email } : guest;
}

/** Creates the tokens of an audience. `read`: what verified claims name, undefined when they name nothing. */
function tokensFor<C extends object>(
  settings: TokenSettings,
  audience: string,
  read: (id: string, claims: JWTPayload) => C | undefined,
) {
  const { issuer } = settings;
  const verified = verifiedTokens<C>();
  let signingKey: ReturnType<typeof importJWK> | undefined;
  let publicKeys: ReturnType<typeof createLocalJWKSet> | undefined;
  return {
    async sign(id: string, claims: JWTPayload, seconds: number, now: Date): Promise<string> {
      signingKey ??= importJWK(settings.key, 'EdDSA');
      const issuedAt = epochSeconds(now);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid: settings.key.kid })
        .setSubject(id)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(await signingKey);
    },
    async verify(token: string, now: Date): Promise<C | undefined> {
      const cached = verified.find(token, now);
      if (cached) return cached;
      publicKeys ??= createLocalJWKSet(settings.publicKeys);
      const requiredClaims = ['sub', 'exp'];
      const checks = { algorithms: ['EdDSA'], issuer, audience, requiredClaims, currentDate: now };
      const claims = (await jwtVerify(token, publicKeys, checks).catch(() => undefined))?.payload ?? {};
      const named = claims.sub === undefined ? undefined : read(claims.sub, claims);
      return named && claims.exp !== undefined ? verified.add(token, named, claims.exp) : undefined;
    },
  };
}

/** Creates a cache of what verified tokens name, until the token expires; the least recently used one is dropped first. */
function verifiedTokens<C extends object>() {
  const entries = new Map<string, { named: C; exp: number }>();
  const add = (token: string, named: C, exp: number): C => {
    const [oldest] = entries.keys();
    if (entries.size >= MAX_VERIFIED && oldest !== undefined) entries.delete(oldest);
    entries.set(token, { named, exp });
    return named;
  };
  const find = (token: string, now: Date): C | undefined => {
    const entry = entries.get(token);
    // A Map keeps insertion order: deleting and adding a token makes it the newest.
    entries.delete(token);
    return entry && entry.exp > epochSeconds(now) ? add(token, entry.named, entry.exp) : undefined;
  };
  return { add, find };
}

const readRoles = (claim: unknown): UserRole[] =>
  Array.isArray(claim) ? claim.filter((role): role is UserRole => role === 'USER' || role === 'ADMIN') : [];
