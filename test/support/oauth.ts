/**
 * Logins and connections through the test provider, step by step, as a browser does them: it keeps cookies, starts, picks
 * a person on the provider's page, and visits the callback.
 */
import { User } from '#core/accounts/model.ts';
import type { ProviderName } from '#core/identity/model.ts';
import { configuredProviders, type ProvidersSettings } from '#core/identity/providers.ts';
import { withApp } from './faults.ts';
import { type Person, send } from './fixtures.ts';
import { pick } from './provider.ts';
import { cookiesOf } from './sessions.ts';

/** The front end of the tests: the service's own origin, which is always allowed. */
export const FRONT = 'http://127.0.0.1:3000';

export type Browser = ReturnType<typeof browserOf>;

/** A new browser, signed in if a person is given. */
export function browserOf(person?: Person) {
  const jar = new Map<string, { value: string; path: string }>();
  if (person) jar.set('access_token', { value: person.token, path: '/' });
  /** The cookies that are sent to a path, by name. */
  const cookiesFor = (path: string): Record<string, string> =>
    Object.fromEntries(
      [...jar]
        .filter(([, kept]) => path === kept.path || path.startsWith(`${kept.path.replace(/\/$/, '')}/`))
        .map(([name, { value }]) => [name, value]),
    );
  return {
    cookiesFor,
    /** Requests a path or URL of the service, and keeps the cookies of the response. */
    async visit(url: string): Promise<Response> {
      const { pathname, search } = new URL(url, FRONT);
      const cookies = Object.entries(cookiesFor(pathname)).map(([name, value]) => `${name}=${value}`);
      const headers = cookies.length > 0 ? { cookie: cookies.join('; ') } : {};
      const response = await send('GET', pathname + search, { headers });
      for (const [name, { value, attributes }] of Object.entries(cookiesOf(response))) {
        if (attributes['max-age'] === '0') jar.delete(name);
        else jar.set(name, { value, path: attributes.path ?? '/' });
      }
      return response;
    },
  };
}

/** The target of a redirect; fails the test for any other response. */
export function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (response.status !== 302 || location === null) throw new Error(`expected a redirect, got ${response.status}`);
  return location;
}

/** The path that starts a login. */
export const loginPath = (
  query: Record<string, string> = { c: `${FRONT}/done` },
  provider = 'LOGIN_PROVIDER_1',
): string => `/api/auth/login/oauth/${provider}?${new URLSearchParams(query)}`;

type To = Parameters<typeof loginPath>;

/** Starts a login, picks a person at the provider, and returns the callback URL. */
export const followToCallback = async (browser: Browser, who: string, ...to: To): Promise<string> =>
  pick(locationOf(await browser.visit(loginPath(...to))), who);

/** Logs in as a person of the provider. Returns the response of the callback. */
export const logIn = async (browser: Browser, who: string, ...to: To): Promise<Response> =>
  browser.visit(await followToCallback(browser, who, ...to));

/** The user as whom a browser is signed in; fails the test when it is not. */
export async function whoIs(browser: Browser): Promise<User> {
  const response = await browser.visit('/api/users/me');
  if (response.status !== 200) throw new Error(`expected a signed-in browser, got ${response.status}`);
  return User().parse(await response.json());
}

/** The state in the URL of a provider's page or of a callback. */
export const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? '';

/** Runs something with other provider settings; `undefined` removes a provider. */
export function withProviders<T>(
  parts: { [Name in ProviderName]?: ProvidersSettings[Name] },
  run: () => Promise<T>,
): Promise<T> {
  return withApp(({ config, log }) => {
    const providers = { ...config.providers, ...parts };
    return { config: { ...config, providers }, providers: configuredProviders(providers, log) };
  }, run);
}

export type Connecting = { responseId: string; questionId: string; r?: string };

/** The path that starts a connection. */
export function connectPath({ responseId, questionId, r }: Connecting): string {
  const query = r === undefined ? '' : `?${new URLSearchParams({ r })}`;
  return `/api/responses/${responseId}/questions/${questionId}/oauth${query}`;
}

/** Starts a connection. Returns the URL of the provider's page. */
export const connectUrl = async (browser: Browser, connecting: Connecting): Promise<string> =>
  locationOf(await browser.visit(connectPath(connecting)));

/** Connects the account of a person of the provider. Returns the response of the callback. */
export const connect = async (browser: Browser, connecting: Connecting, who: string): Promise<Response> =>
  browser.visit(await pick(await connectUrl(browser, connecting), who));
