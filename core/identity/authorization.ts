/**
 * Journeys: a browser leaves for a provider of identities and comes back (contract sections 2 and 10). What it is to
 * come back to travels in a signed state. What binds the state to the browser is the PKCE verifier, which stays there
 * in a cookie of its own, so that two tabs do not disturb each other; a state is good for one arrival.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { auth } from '#core/api/auth.ts';
import { connections } from '#core/api/connections.ts';
import type { ProviderName } from '#core/aws/config.ts';
import { keys } from '#core/db/keys.ts';
import { WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import { cookie } from '#core/http/request.ts';
import { problems } from '#core/problems/problems.ts';
import { schema } from '#core/schema/schema.ts';
import type { Fetched } from './providers.ts';

/** What journeys are for: where each comes back to, and in how many seconds it has to. */
const PURPOSES = {
  login: { callback: auth.finishLogin.path, seconds: 300 },
  connect: { callback: connections.finishConnection.path, seconds: 600 },
} as const;
export type Purpose = keyof typeof PURPOSES;

const State = schema(() =>
  z.object({
    id: z.string(),
    provider: z.string(),
    challenge: z.string(),
    redirectUri: z.string(),
    /** Seconds since 1970. */
    exp: z.number(),
    carried: z.unknown(),
  }),
);

export type Departure = {
  provider: ProviderName;
  /** Below which URL the callback is; the service's own unless said otherwise. */
  base?: string | undefined;
  /** What the browser is to come back with: readable to it, but not to be changed. */
  carried: Record<string, unknown>;
};

/** Sends a browser off: where to, and the cookie to give it. Throws 503 while the provider cannot be used. */
export async function depart(
  app: App,
  purpose: Purpose,
  { provider, base = app.config.publicUrl, carried }: Departure,
): Promise<{ location: string; cookies: string[] }> {
  const { callback, seconds } = PURPOSES[purpose];
  const redirectUri = `${base.replace(/\/+$/, '')}/api${callback.replace(/\{\w+\}/, provider)}`;
  const id = app.uuid();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = hashOf(verifier);
  const state = await app.states.sign(purpose, { id, provider, challenge, redirectUri, carried }, seconds, app.now());
  const asking = { redirectUri, state, challenge, nonce: nonceOf(verifier) };
  return {
    location: await app.providers.authorize(provider, asking),
    cookies: [cookieLine(app, { id, redirectUri }, verifier, seconds)],
  };
}

export type Arrival = {
  carried: unknown;
  /** The cookies that end the journey in the browser. */
  cookies: string[];
  /** Asks the provider who it is. */
  fetchProfile(): Promise<Fetched>;
};

/**
 * Takes in a browser that came back with `state`. Throws 400 `unusable_state` unless it is one of this purpose and
 * provider, not expired, not used before, and of this very browser.
 */
export async function arrive(
  app: App,
  purpose: Purpose,
  { provider, state, event }: { provider: ProviderName; state: string; event: APIGatewayProxyEventV2 },
): Promise<Arrival> {
  const opened = State().safeParse(await app.states.open(purpose, state, app.now()));
  if (!opened.success || opened.data.provider !== provider) throw unusableState();
  const { id, challenge, redirectUri, exp, carried } = opened.data;
  const verifier = cookie(event, cookieName(id));
  if (verifier === undefined || hashOf(verifier) !== challenge) throw unusableState();
  await useUp(app, id, exp);
  const came = { redirectUri, query: event.rawQueryString, verifier, nonce: nonceOf(verifier) };
  return {
    carried,
    cookies: [cookieLine(app, { id, redirectUri }, '', 0)],
    fetchProfile: () => app.providers.fetchProfile(provider, came),
  };
}

/** Marks a state as used until it expires by itself. */
async function useUp(app: App, id: string, expiresAt: number): Promise<void> {
  try {
    await app.table.write([{ put: { ...keys.usedState(id), expiresAt }, when: { absent: true } }]);
  } catch (error) {
    throw error instanceof WriteRefused ? unusableState() : error;
  }
}

const unusableState = () =>
  problems.wrongState(
    'unusable_state',
    'This was not begun in this browser, took too long, or was finished before: go back to where you began and start again',
    [{ pointer: '/query/state', detail: 'is not one that works here and now' }],
  );

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const nonceOf = (verifier: string): string => hashOf(`nonce ${verifier}`);
const cookieName = (id: string): string => `journey_${id}`;

/**
 * A cookie that only the callback is sent. It is Lax whatever the session's cookies are: the browser comes back from
 * another site.
 */
function cookieLine(
  { config }: App,
  { id, redirectUri }: { id: string; redirectUri: string },
  verifier: string,
  maxAgeSeconds: number,
): string {
  const path = new URL(redirectUri).pathname;
  const parts = [
    `${cookieName(id)}=${verifier}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
  ];
  if (config.cookies.secure) parts.push('Secure');
  if (config.cookies.domain) parts.push(`Domain=${config.cookies.domain}`);
  return parts.join('; ');
}
