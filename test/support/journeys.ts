/**
 * Browsers that leave for a provider of identities and come back, without a browser: their cookies as a browser keeps
 * them, the start, the person picked on the provider's page, and the callback. The provider is the one of all tests.
 */
import { User } from '#core/accounts/model.ts';
import type { ProviderName } from '#core/aws/config.ts';
import type { App } from '#core/http/app.ts';
import { configuredProviders } from '#core/identity/providers.ts';
import { withApp } from './faults.ts';
import { pick } from './provider.ts';
import { cookiesOf } from './sessions.ts';
import { type Person, send } from './world.ts';

/** Where the front end of the tests is: the service's own origin, which is always allowed. */
export const FRONT = 'http://127.0.0.1:3000';

/** A browser with its cookies. */
export type Browser = {
  /** Requests a path or URL of the service, and keeps the cookies of the answer. */
  visit(url: string): Promise<Response>;
  /** The cookies that a path is sent, by name. */
  cookiesFor(path: string): Record<string, string>;
};

type Kept = { value: string; path: string };

/** A new browser; a person's is signed in as them. */
export function browserOf(person?: Person): Browser {
  const jar = new Map<string, Kept>();
  if (person) jar.set('access_token', { value: person.token, path: '/' });
  const cookiesFor = (path: string): Record<string, string> =>
    Object.fromEntries(
      [...jar]
        .filter(([, kept]) => path === kept.path || path.startsWith(`${kept.path.replace(/\/$/, '')}/`))
        .map(([name, { value }]) => [name, value]),
    );
  return {
    cookiesFor,
    async visit(url) {
      const { pathname, search } = new URL(url, FRONT);
      const cookies = Object.entries(cookiesFor(pathname)).map(([name, value]) => `${name}=${value}`);
      const answer = await send(
        'GET',
        pathname + search,
        cookies.length > 0 ? { headers: { cookie: cookies.join('; ') } } : {},
      );
      for (const [name, { value, attributes }] of Object.entries(cookiesOf(answer))) {
        if (attributes['max-age'] === '0') jar.delete(name);
        else jar.set(name, { value, path: attributes.path ?? '/' });
      }
      return answer;
    },
  };
}

/** Where an answer redirects to; fails the test when it does not. */
export function locationOf(answer: Response): string {
  const location = answer.headers.get('location');
  if (answer.status !== 302 || location === null) throw new Error(`expected a redirect, got ${answer.status}`);
  return location;
}

/** The path that starts a login. */
export const loginPath = (
  query: Record<string, string> = { c: `${FRONT}/done` },
  provider = 'LOGIN_PROVIDER_1',
): string => `/api/auth/login/oauth/${provider}?${new URLSearchParams(query)}`;

/** Starts a login and answers the callback URL with which the provider sends the browser back as somebody. */
export async function callbackOf(
  browser: Browser,
  who: string,
  query?: Record<string, string>,
  provider?: string,
): Promise<string> {
  return pick(locationOf(await browser.visit(loginPath(query, provider))), who);
}

/** Logs in at a provider as somebody, start to end; answers the last redirect of the service. */
export async function logIn(
  browser: Browser,
  who: string,
  query?: Record<string, string>,
  provider?: string,
): Promise<Response> {
  return browser.visit(await callbackOf(browser, who, query, provider));
}

/** Who a browser is signed in as; fails the test when it is not. */
export async function whoIs(browser: Browser): Promise<User> {
  const answer = await browser.visit('/api/users/me');
  if (answer.status !== 200) throw new Error(`expected somebody to be signed in, got ${answer.status}`);
  return User().parse(await answer.json());
}

/** The state in a URL of a provider's page or of a callback. */
export const stateOf = (url: string): string => new URL(url).searchParams.get('state') ?? '';

type Settings = App['config']['providers'];

/** Runs something while some providers are configured otherwise; `undefined` takes one away. */
export function withProviders<T>(
  parts: { [Name in ProviderName]?: Settings[Name] | undefined },
  run: () => Promise<T>,
): Promise<T> {
  return withApp(({ config }) => {
    const providers: Settings = { ...config.providers };
    for (const name of ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2', 'PROVIDER_ONE', 'PROVIDER_TWO'] as const) {
      if (!(name in parts)) continue;
      const settings = parts[name];
      if (settings) providers[name] = settings;
      else delete providers[name];
    }
    return { config: { ...config, providers }, providers: configuredProviders(providers) };
  }, run);
}

export type Connecting = { responseId: string; questionId: string; r?: string };

/** The path that starts a connection. */
export function connectPath({ responseId, questionId, r }: Connecting): string {
  const query = r === undefined ? '' : `?${new URLSearchParams({ r })}`;
  return `/api/responses/${responseId}/questions/${questionId}/oauth${query}`;
}

/** Starts a connection; answers the URL of the provider's page. */
export const connectUrl = async (browser: Browser, connecting: Connecting): Promise<string> =>
  locationOf(await browser.visit(connectPath(connecting)));

/** Connects somebody's account from start to end; answers the last answer of the service. */
export const connect = async (browser: Browser, connecting: Connecting, who: string): Promise<Response> =>
  browser.visit(await pick(await connectUrl(browser, connecting), who));
