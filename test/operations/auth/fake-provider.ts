/**
 * An identity provider that responds with whatever a test wants: plain OAuth 2, OpenID Connect, or nonsense. It records
 * its requests. The real one is `stacks/local/identity/provider.ts`.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import { closeNow, HOST, listen } from '#stacks/local/gateway/listening.ts';
import { browserOf, locationOf, loginPath, stateOf, withProviders } from '#test/support/oauth.ts';

/** A response of the provider; a body other than text is sent as JSON. */
export type FakeResponse = { status?: number; body: unknown };
export type FakeRequest = { method: string; path: string; authorization: string; body: URLSearchParams };

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>;

/** A profile of a provider of plain OAuth 2. */
export const OCTOCAT = {
  id: 583_231,
  login: 'octocat',
  avatar_url: 'https://example.org/octocat.png',
  email: 'o@example.org',
};
/** The response of a token endpoint that accepted a code. */
export const TOKEN = { access_token: 'an-access-token', token_type: 'bearer' };

/** Starts a fake provider on a free port; `settings` have explicit endpoints, changed in some parts. */
export async function startFakeProvider() {
  /** What it received, in order. */
  const requests: FakeRequest[] = [];
  /** By path, which tests change; 404 for all other paths. */
  const responses: Record<string, FakeResponse> = {};
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://fake').pathname;
    const { method = '', headers } = request;
    const body = new URLSearchParams(await text(request));
    requests.push({ method, path, authorization: headers.authorization ?? '', body });
    const reply = responses[path] ?? { status: 404, body: {} };
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  const url = `http://${HOST}:${await listen(server, 0)}`;
  const settings = (parts?: Record<string, unknown>) => settingsAt(url, parts);
  return { url, requests, responses, settings, stop: () => closeNow(server) };
}

/** Explicit endpoints of plain OAuth 2. */
const settingsAt = (url: string, parts: Record<string, unknown> = {}): ProviderSettings =>
  ProviderSettings().parse({
    authorizationEndpoint: `${url}/authorize`,
    tokenEndpoint: `${url}/token`,
    userinfoEndpoint: `${url}/user`,
    clientId: 'the client',
    clientSecret: 'the secret',
    scopes: ['read:user'],
    profile: { subject: 'id', username: 'login', avatarUrl: 'avatar_url' },
    ...parts,
  });

/**
 * Logs in at a fake provider, which redirects back at once with a code and further parameters. `meanwhile` runs between
 * the start and the callback.
 */
export function logInAt(
  fake: FakeProvider,
  parts: Record<string, unknown> = {},
  more: Record<string, string> = {},
  meanwhile: (page: URL) => void = () => undefined,
) {
  return withProviders({ LOGIN_PROVIDER_1: fake.settings(parts) }, async () => {
    const browser = browserOf();
    const page = new URL(locationOf(await browser.visit(loginPath())));
    meanwhile(page);
    const query = new URLSearchParams({ code: 'a-code', state: stateOf(page.href), ...more });
    const response = await browser.visit(`/api/auth/login/oauth/LOGIN_PROVIDER_1/callback?${query}`);
    return { browser, page, response, error: new URL(locationOf(response)).searchParams.get('error') };
  });
}
