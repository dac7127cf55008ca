/**
 * OAuth authorization requests and their callbacks. A signed state contains what the callback needs. The PKCE verifier,
 * which binds the state to the browser, is in a cookie with a name per request, so that two tabs do not interfere. A
 * state can be used for one callback.
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { keys } from '#core/db/keys.ts';
import { WriteRefused } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import { schema } from '#core/schema/schema.ts';
import { type CallbackQuery, CONNECT_CALLBACK_PATH, LOGIN_CALLBACK_PATH, type ProviderName } from './model.ts';
import type { IdentityPorts } from './ports.ts';
import type { Profile } from './profile.ts';
import { toErrorCode } from './redirects.ts';
import { setCookie } from './sessions.ts';

const PURPOSES = {
  login: { callbackPath: LOGIN_CALLBACK_PATH, ttlSeconds: 300 },
  connect: { callbackPath: CONNECT_CALLBACK_PATH, ttlSeconds: 600 },
} as const;
type Purpose = keyof typeof PURPOSES;

/** A redirect of the browser, with cookies to set. */
export type Redirect = { location: string; cookies: string[] };

/** A callback request: its query, validated and as it was sent, and its cookies. */
export type Callback = { query: CallbackQuery; rawQuery: string; readCookie(name: string): string | undefined };

const State = schema(() =>
  z.object({
    id: z.string(),
    provider: z.string(),
    challenge: z.string(),
    redirectUri: z.string(),
    /** Seconds since 1970. */
    exp: z.number(),
    payload: z.unknown(),
  }),
);

/**
 * Starts an authorization request. `payload` is returned with the callback; the browser can read it but not change it.
 * `base` is the URL below which the callback is. Throws 503 while the provider cannot be reached.
 */
export async function startAuthorization(
  app: IdentityPorts,
  purpose: Purpose,
  provider: ProviderName,
  payload: Record<string, unknown>,
  base = app.config.publicUrl,
): Promise<Redirect> {
  const { callbackPath, ttlSeconds } = PURPOSES[purpose];
  const redirectUri = `${base.replace(/(?<!\/)\/+$/, '')}/api${callbackPath.replace(/\{\w+\}/, provider)}`;
  const id = app.uuid();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = hashText(verifier);
  const state = await app.states.sign(
    purpose,
    { id, provider, challenge, redirectUri, payload },
    ttlSeconds,
    app.now(),
  );
  return {
    location: await app.providers.authorize(provider, { redirectUri, state, challenge, nonce: deriveNonce(verifier) }),
    cookies: [verifierCookie(app, { id, redirectUri }, verifier, ttlSeconds)],
  };
}

/** The result of a callback: the profile, or the code of an error; the payload of the request; the cookies to set. */
type AuthorizationResult<P> = { payload: P; cookies: string[]; outcome: { profile: Profile } | { error: string } };

/**
 * Finishes an authorization request with its callback. Errors are the provider's own code, `missing_code`,
 * `exchange_failed` or `profile_failed`. Throws 400 `unusable_state` unless the state is one of this purpose, provider
 * and browser, not expired, and not used before.
 */
export async function finishAuthorization<P>(
  app: IdentityPorts,
  purpose: Purpose,
  provider: ProviderName,
  callback: Callback,
  Payload: () => z.ZodType<P>,
): Promise<AuthorizationResult<P>> {
  const state = State().safeParse(await app.states.open(purpose, callback.query.state, app.now()));
  if (!state.success || state.data.provider !== provider) throw problems.unusableState();
  const { id, challenge, redirectUri, exp, payload } = state.data;
  const verifier = callback.readCookie(cookieName(id));
  if (verifier === undefined || hashText(verifier) !== challenge) throw problems.unusableState();
  await markStateUsed(app, id, exp);
  return {
    payload: Payload().parse(payload),
    cookies: [verifierCookie(app, { id, redirectUri }, '', 0)],
    outcome: await fetchOutcome(app, provider, callback, { redirectUri, verifier, nonce: deriveNonce(verifier) }),
  };
}

async function fetchOutcome(
  { providers }: IdentityPorts,
  provider: ProviderName,
  { query, rawQuery }: Callback,
  request: { redirectUri: string; verifier: string; nonce: string },
): Promise<AuthorizationResult<unknown>['outcome']> {
  if (query.error) return { error: toErrorCode(query.error) };
  if (!query.code) return { error: 'missing_code' };
  return providers.fetchProfile(provider, { ...request, rawQuery });
}

/** Marks a state as used until it expires. */
async function markStateUsed({ table }: IdentityPorts, id: string, expiresAt: number): Promise<void> {
  try {
    await table.write([{ put: { ...keys.usedState(id), expiresAt }, when: { absent: true } }]);
  } catch (error) {
    throw error instanceof WriteRefused ? problems.unusableState() : error;
  }
}

const hashText = (text: string): string => sha256(text, 'base64url');
const deriveNonce = (verifier: string): string => hashText(`nonce ${verifier}`);
const cookieName = (id: string): string => `oauth_${id}`;

/** A cookie for the callback only. It is always Lax, because the browser returns from another site. */
const verifierCookie = (
  { config }: IdentityPorts,
  { id, redirectUri }: { id: string; redirectUri: string },
  verifier: string,
  maxAgeSeconds: number,
): string =>
  setCookie(config.cookies, {
    name: cookieName(id),
    value: verifier,
    maxAgeSeconds,
    path: new URL(redirectUri).pathname,
    sameSite: 'lax',
  });
