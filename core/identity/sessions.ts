/**
 * Sessions: a short-lived access token and a refresh token, both in cookies. A refresh token is `<family>.<secret>`; the
 * family is one item with the hash of the current secret. Using the current secret replaces it by its successor, an
 * HMAC of it with a stored random salt. For a minute a replaced secret still yields the current one, because its
 * successors can be computed again, so two tabs or a lost response do not end the session. Any other secret may have
 * been stolen, and the family is revoked.
 *
 * A session ends when it was not renewed for `REFRESH_TOKEN_DAYS`, 90 days after the sign-in in any case, and when its
 * epoch is no longer that of the account: all sessions were ended.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import type { Caller } from '#core/access/access.ts';
import { loadAccount, raiseSessionEpoch } from '#core/accounts/accounts.ts';
import { type Account, getRoles } from '#core/accounts/model.ts';
import { change, type Decision } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isId } from '#core/schema/schema.ts';
import type { CookieSettings, IdentityPorts } from './ports.ts';
import { ACCESS_COOKIE, REFRESH_COOKIE } from './redirects.ts';

/** How long a replaced refresh token still renews the session. */
const GRACE_MS = 60_000;
/** The largest number of rotations that are stored; browsers make far fewer within the grace period. */
const MAX_ROTATIONS = 50;

/** How long a session can be renewed at most, after its sign-in. */
const SESSION_DAYS = 90;
const DAY_MS = 86_400_000;

/** A replaced secret: its hash, the salt of its successor, and the time in milliseconds since 1970. */
type Rotation = { hash: string; salt: string; at: number };
type RefreshToken = { familyId: string; secret: string };

const randomText = (): string => randomBytes(32).toString('base64url');
const hashSecret = (secret: string): string => sha256(secret, 'base64url');
const deriveSuccessor = (secret: string, { salt }: Rotation): string =>
  createHmac('sha256', secret).update(salt).digest('base64url');

/** Starts a session of an account. Returns the cookies to set. */
export async function startSession(app: IdentityPorts, account: Account): Promise<string[]> {
  const token = { familyId: app.uuid(), secret: randomText() };
  const createdAt = app.now().toISOString();
  const session = {
    ...describeUse(app, { userId: account.id, familyId: token.familyId, createdAt }),
    epoch: account.sessionEpoch,
    hash: hashSecret(token.secret),
    ...encode([]),
  };
  await app.table.write([{ put: { ...keys.refreshFamily(token.familyId), ...session }, when: { absent: true } }]);
  return sessionCookies(app, account, { ...token, expiresAt: session.expiresAt });
}

/** The attributes of a session that is used now: whose it is, when it began and was last used, and when it expires. */
function describeUse(
  { config, now }: IdentityPorts,
  { userId, familyId, createdAt }: { userId: string; familyId: string; createdAt: string },
) {
  const end = Math.min(
    now().getTime() + config.token.refreshDays * DAY_MS,
    Date.parse(createdAt) + SESSION_DAYS * DAY_MS,
  );
  return {
    ...indexKeys.session(userId, createdAt, familyId),
    userId,
    createdAt,
    usedAt: now().toISOString(),
    expiresAt: epochSeconds(new Date(end)),
  };
}

/**
 * Renews a session by its refresh token. Returns the new cookies. Throws 401, with the cookies that clear the session,
 * for a token that is unknown, expired or used too late; the last of these revokes its family.
 */
export async function refreshSession(app: IdentityPorts, cookie: string | undefined): Promise<string[]> {
  return (await renewSession(app, cookie)).cookies;
}

/**
 * Like `refreshSession`, and throws the same; also returns the caller, so that the same request can continue as
 * them.
 */
export async function renewSession(
  app: IdentityPorts,
  cookie: string | undefined,
): Promise<{ caller: Caller; cookies: string[] }> {
  const token = parseToken(cookie);
  const renewed =
    token &&
    (await change(app, {
      reload: () => loadFamily(app, token.familyId),
      decide: (family) => decideRenewal(app, token, family),
    }));
  if (!renewed) throw problems.unauthorized(clearedCookies(app));
  const { account, secret, expiresAt } = renewed;
  const caller = { id: account.id, roles: getRoles(account, app.config.operatorEmails) };
  return { caller, cookies: await sessionCookies(app, account, { ...token, secret, expiresAt }) };
}

/** Reads the family of a token with its account; undefined when it has ended, or the account was deleted. */
async function loadFamily({ table, now }: Ports, familyId: string) {
  const [family] = await table.read([keys.refreshFamily(familyId)]);
  const account = family && (await loadAccount(table, String(family.userId)));
  return account && isActive(family, account, now()) ? { family, account } : undefined;
}

/** Whether a session of an account can be renewed. Older items have no epoch. */
const isActive = ({ expiresAt, epoch = 0 }: Item, { sessionEpoch }: Account, now: Date): boolean =>
  Number(expiresAt) > epochSeconds(now) && epoch === sessionEpoch;

/** Decides on the account and current secret of a token's family; undefined when the token is not valid. */
function decideRenewal(
  app: IdentityPorts,
  { familyId, secret }: RefreshToken,
  loaded: Awaited<ReturnType<typeof loadFamily>>,
): Decision<{ account: Account; secret: string; expiresAt: number } | undefined> {
  if (!loaded) return { writes: [], result: undefined };
  const { family, account } = loaded;
  const now = app.now();
  const rotations = decode<Rotation[]>(family);
  const isRecent = ({ at }: Rotation): boolean => now.getTime() - at < GRACE_MS;
  const hash = hashSecret(secret);
  if (family.hash === hash) {
    const rotation = { hash, salt: randomText(), at: now.getTime() };
    const next = deriveSuccessor(secret, rotation);
    const recentRotations = [...rotations.filter(isRecent), rotation].slice(-MAX_ROTATIONS);
    // Older items do not say when the session began: it counts from now.
    const createdAt = String(family.createdAt ?? now.toISOString());
    const use = describeUse(app, { userId: account.id, familyId, createdAt });
    const set = { hash: hashSecret(next), ...use, ...encode(recentRotations) };
    const rotate = { update: keys.refreshFamily(familyId), set, when: { equals: { hash } } };
    return { writes: [rotate], result: { account, secret: next, expiresAt: use.expiresAt } };
  }
  const index = rotations.findIndex((rotation) => rotation.hash === hash && isRecent(rotation));
  return index === -1
    ? { writes: [revoke(familyId)], result: undefined }
    : {
        writes: [],
        result: {
          account,
          secret: rotations.slice(index).reduce(deriveSuccessor, secret),
          expiresAt: Number(family.expiresAt),
        },
      };
}

/** Ends the session of a refresh token, if it is one. Returns the cookies that clear it from the browser. */
export async function endSession(app: IdentityPorts, cookie: string | undefined): Promise<string[]> {
  const token = parseToken(cookie);
  if (token) await app.table.write([revoke(token.familyId)]);
  return clearedCookies(app);
}

/**
 * Ends all sessions of an account. Returns the cookies that clear the one of this browser. Access tokens that other browsers
 * have stay valid until they expire. Throws 401 when the account no longer exists.
 */
export async function endAllSessions(app: IdentityPorts, account: Account): Promise<string[]> {
  await raiseSessionEpoch(app, account);
  return clearedCookies(app);
}

/** A session as its owner sees it: when it began, was last used and expires, as ISO times. */
export type Session = { createdAt: string; usedAt: string; expiresAt: string; isCurrent: boolean };

/** The most sessions that are listed. */
const MAX_LISTED_SESSIONS = 50;

/** Lists the active sessions of an account among the 50 that began last, the last used one first. `cookie`: the refresh token of the request. */
export async function listSessions(app: Ports, account: Account, cookie: string | undefined): Promise<Session[]> {
  const list = { ...partitions.sessionsOf(account.id), limit: MAX_LISTED_SESSIONS, descending: true };
  const ids = [...new Set((await app.table.list(list)).items.map(({ gsi1sk = '' }) => lastPart(gsi1sk)))];
  const currentId = parseToken(cookie)?.familyId;
  const sessions = (await app.table.read(ids.map(keys.refreshFamily))).flatMap((family, index) =>
    family && isActive(family, account, app.now())
      ? {
          createdAt: String(family.createdAt),
          usedAt: String(family.usedAt),
          expiresAt: new Date(Number(family.expiresAt) * 1_000).toISOString(),
          isCurrent: ids[index] === currentId,
        }
      : [],
  );
  return sessions.toSorted((a, b) => (a.usedAt < b.usedAt ? 1 : -1));
}

const revoke = (familyId: string): Write => ({ remove: keys.refreshFamily(familyId) });

/** Parses a refresh token; undefined for any other text, which must not become a key of the table. */
function parseToken(cookie = ''): RefreshToken | undefined {
  const [familyId = '', secret = '', ...rest] = cookie.split('.');
  return isId(familyId) && secret !== '' && rest.length === 0 ? { familyId, secret } : undefined;
}

async function sessionCookies(
  { config, tokens, now }: IdentityPorts,
  account: Account,
  { familyId, secret, expiresAt }: RefreshToken & { expiresAt: number },
): Promise<string[]> {
  const { accessMinutes } = config.token;
  const accessToken = await tokens.sign({ id: account.id, roles: getRoles(account, config.operatorEmails) }, now());
  return [
    setCookie(config.cookies, { name: ACCESS_COOKIE, value: accessToken, maxAgeSeconds: accessMinutes * 60 }),
    setCookie(config.cookies, {
      name: REFRESH_COOKIE,
      value: `${familyId}.${secret}`,
      maxAgeSeconds: expiresAt - epochSeconds(now()),
    }),
  ];
}

const clearedCookies = ({ config }: IdentityPorts): string[] =>
  [ACCESS_COOKIE, REFRESH_COOKIE].map((name) => setCookie(config.cookies, { name, value: '', maxAgeSeconds: 0 }));

// The cookies of sessions and authorization requests. Scripts cannot read them.

type Cookie = { name: string; value: string; maxAgeSeconds?: number; path?: string; sameSite?: 'lax' };

/** Builds the `Set-Cookie` value of a cookie; a maximal age of 0 removes it from the browser, without one it ends with its session. */
export function setCookie(settings: CookieSettings, cookie: Cookie): string {
  const { secure, domain } = settings;
  const { name, value, maxAgeSeconds, path = '/', sameSite = settings.sameSite } = cookie;
  return stringifySetCookie({
    name,
    value,
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
    path,
    httpOnly: true,
    secure,
    sameSite,
    ...(domain ? { domain } : {}),
  });
}
