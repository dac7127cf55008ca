/**
 * A provider of identities that answers whatever a test wants: plain OAuth 2, OpenID Connect, or nonsense. What it was
 * asked is kept. The real one is `stacks/local/provider.ts`.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { ProviderSettings } from '#core/aws/config.ts';
import { type Browser, browserOf, locationOf, loginPath, stateOf, withProviders } from './journeys.ts';

/** An answer of the provider; a body that is no text is sent as JSON. */
export type Said = { status?: number; body: unknown };
export type Asked = { method: string; path: string; authorization: string; body: URLSearchParams };

export type FakeProvider = {
  url: string;
  /** What it was asked, in order. */
  asked: Asked[];
  /** What it answers by path, to be changed by tests; 404 for all other paths. */
  answers: Record<string, Said>;
  /** Settings of explicit endpoints, changed in some parts. */
  settings(parts?: Record<string, unknown>): ProviderSettings;
  stop(): Promise<void>;
};

/** A profile as a provider of plain OAuth 2 answers it. */
export const OCTOCAT = {
  id: 583_231,
  login: 'octocat',
  avatar_url: 'https://example.org/octocat.png',
  email: 'o@example.org',
};
/** The answer of a token endpoint that took a code. */
export const TOKEN = { access_token: 'an-access-token', token_type: 'bearer' };

/** Starts a fake provider on a free port. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const asked: Asked[] = [];
  const answers: Record<string, Said> = {};
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://fake').pathname;
    const { method = '', headers } = request;
    const body = new URLSearchParams(await text(request));
    asked.push({ method, path, authorization: headers.authorization ?? '', body });
    const said = answers[path] ?? { status: 404, body: {} };
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return { url, asked, answers, settings: (parts) => settingsAt(url, parts), stop: () => stop(server) };
}

/** Explicit endpoints of plain OAuth 2. */
const settingsAt = (url: string, parts: Record<string, unknown> = {}): ProviderSettings =>
  ProviderSettings.parse({
    authorizationEndpoint: `${url}/authorize`,
    tokenEndpoint: `${url}/token`,
    userinfoEndpoint: `${url}/user`,
    clientId: 'the client',
    clientSecret: 'the secret',
    scopes: ['read:user'],
    profile: { subject: 'id', username: 'login', avatarUrl: 'avatar_url' },
    ...parts,
  });

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** How a login at a fake ended. */
export type LoggedIn = { browser: Browser; page: URL; answer: Response; error: string | null };

/**
 * Logs in at a fake, which sends everybody back at once with a code and further parameters. `meanwhile` is what happens
 * while the person is there.
 */
export function logInAt(
  fake: FakeProvider,
  parts: Record<string, unknown> = {},
  more: Record<string, string> = {},
  meanwhile: (page: URL) => void = () => undefined,
): Promise<LoggedIn> {
  return withProviders({ LOGIN_PROVIDER_1: fake.settings(parts) }, async () => {
    const browser = browserOf();
    const page = new URL(locationOf(await browser.visit(loginPath())));
    meanwhile(page);
    const query = new URLSearchParams({ code: 'a-code', state: stateOf(page.href), ...more });
    const answer = await browser.visit(`/api/auth/login/oauth/LOGIN_PROVIDER_1/callback?${query}`);
    return { browser, page, answer, error: new URL(locationOf(answer)).searchParams.get('error') };
  });
}
