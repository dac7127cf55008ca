/**
 * Sessions: an access token for an hour and a refresh token for thirty days, both in cookies (contract section 2).
 * A refresh token is `<family>.<secret>`; the family is one item that holds the hash of its newest secret. Using an
 * older secret finds another hash there: the token was stolen or copied, and the whole family is removed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Account, rolesOf } from '#core/accounts/model.ts';
import { loadAccount } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { type Item, type Table, WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#core/http/credential.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
const newSecret = (): string => randomBytes(32).toString('base64url');

/** Begins a session of an account; answers the cookies to set. */
export async function startSession(app: App, account: Account): Promise<string[]> {
  const familyId = app.uuid();
  const secret = newSecret();
  const expiresAt = secondsOf(app.now()) + app.config.token.refreshDays * 86_400;
  const family: Item = { ...keys.refreshFamily(familyId), userId: account.id, hash: hashOf(secret), expiresAt };
  await app.table.write([{ put: family, when: { absent: true } }]);
  return sessionCookies(app, account, `${familyId}.${secret}`);
}

/** Rotates a refresh token; answers the new cookies. 401 for one that is unknown, expired, or was used before. */
export async function refreshSession(app: App, token: string | undefined): Promise<string[]> {
  const parsed = parseToken(token);
  if (!parsed) throw problems.unauthorized();
  const { familyId, secret } = parsed;
  const [family] = await app.table.read([keys.refreshFamily(familyId)]);
  const account =
    family && Number(family.expiresAt) > secondsOf(app.now())
      ? await loadAccount(app.table, String(family.userId))
      : undefined;
  if (!account) throw problems.unauthorized();
  const next = newSecret();
  const expiresAt = secondsOf(app.now()) + app.config.token.refreshDays * 86_400;
  try {
    await app.table.write([
      {
        update: keys.refreshFamily(familyId),
        set: { hash: hashOf(next), expiresAt },
        when: { equals: { hash: hashOf(secret) } },
      },
    ]);
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    await revoke(app.table, familyId);
    throw problems.unauthorized();
  }
  return sessionCookies(app, account, `${familyId}.${next}`);
}

/** Ends the session of a refresh token, if it is one; answers the cookies that clear it from the browser. */
export async function endSession(app: App, token: string | undefined): Promise<string[]> {
  const parsed = parseToken(token);
  if (parsed) await revoke(app.table, parsed.familyId);
  return [cookieLine(app, ACCESS_COOKIE, '', 0), cookieLine(app, REFRESH_COOKIE, '', 0)];
}

const revoke = (table: Table, familyId: string): Promise<void> =>
  table.write([{ remove: keys.refreshFamily(familyId) }]);

/** The parts of a refresh token; undefined for what cannot be one, which must not reach a key of the table. */
function parseToken(token: string | undefined): { familyId: string; secret: string } | undefined {
  const [familyId = '', secret = '', ...rest] = (token ?? '').split('.');
  return isId(familyId) && secret !== '' && rest.length === 0 ? { familyId, secret } : undefined;
}

async function sessionCookies(app: App, account: Account, refreshToken: string): Promise<string[]> {
  const caller = { id: account.id, roles: rolesOf(account, app.config.operatorEmails) };
  const accessToken = await app.tokens.sign(caller, app.now());
  return [
    cookieLine(app, ACCESS_COOKIE, accessToken, app.config.token.accessMinutes * 60),
    cookieLine(app, REFRESH_COOKIE, refreshToken, app.config.token.refreshDays * 86_400),
  ];
}

function cookieLine(app: App, name: string, value: string, maxAgeSeconds: number): string {
  const { secure, sameSite, domain } = app.config.cookies;
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  if (secure) parts.push('Secure');
  if (domain) parts.push(`Domain=${domain}`);
  return parts.join('; ');
}
