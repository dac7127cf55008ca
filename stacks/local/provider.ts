/**
 * A real OpenID provider for local runs and tests (contract sections 2 and 10): certified code from npm, with a page on
 * which one picks a demo person or denies. It keeps nothing beyond this process, remembers nobody from one request to
 * the next, and answers only to the callbacks of this service, on whatever port of this machine that listens.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Provider, { type Configuration, errors, type JWK } from 'oidc-provider';
import { closeNow, HOST, listen } from './listening.ts';
import { errorPage, PAGE_HEADERS, pickPage } from './provider-page.ts';
import { PROVIDER_PEOPLE, type ProviderPerson } from './provider-people.ts';
import { providerStore } from './provider-store.ts';

const CALLBACKS = {
  LOGIN_PROVIDER_1: '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback',
  LOGIN_PROVIDER_2: '/api/auth/login/oauth/LOGIN_PROVIDER_2/callback',
  PROVIDER_ONE: '/api/oauth/callback/PROVIDER_ONE',
  PROVIDER_TWO: '/api/oauth/callback/PROVIDER_TWO',
} as const;

export type LocalProvider = {
  issuer: string;
  /** The JSON texts for the environment variables of these names (`ProviderSettings` in core/aws/config.ts). */
  settings: Record<keyof typeof CALLBACKS, string>;
  /** Ends every connection at once and frees the port. */
  stop(): Promise<void>;
};

const PICK_PATH = '/pick/';
const CODE_SECONDS = 60;
const TOKEN_SECONDS = 5 * 60;
const PATIENCE_SECONDS = 15 * 60;

/**
 * Starts the provider on a port (a free one when none is given) with the people that can be picked on its page.
 * Keys and client secrets are new at each start. Throws when the port is taken.
 */
export async function startProvider(
  options: { port?: number; people?: readonly ProviderPerson[] } = {},
): Promise<LocalProvider> {
  const { port = 0, people = PROVIDER_PEOPLE } = options;
  const key = await signingKey();
  const server = createServer();
  const issuer = `http://${HOST}:${await listen(server, port)}`;
  const secret = randomBytes(32).toString('base64url');
  const provider = new Provider(issuer, configuration({ key, secret, people }));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const isPick = request.url?.startsWith(PICK_PATH) ?? false;
    void (isPick ? answerPick({ provider, people }, request, response) : answer(request, response));
  });
  return { issuer, settings: settingsFor(issuer, secret), stop: () => closeNow(server) };
}

/** RS256 is what nearly every provider signs with, and what a client expects that was told nothing else. */
async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
}

type Parts = { key: JWK; secret: string; people: readonly ProviderPerson[] };

/** The code flow with PKCE and nothing else. What is said here is also what the library would otherwise warn about. */
const configuration = ({ key, secret, people }: Parts): Configuration => ({
  adapter: providerStore(),
  jwks: { keys: [key] },
  cookies: {
    keys: [randomBytes(32).toString('base64url')],
    // A browser sends cookies to every port of a host: this path keeps them from the service.
    long: { httpOnly: true, sameSite: 'lax', path: '/auth' },
  },
  clients: Object.entries(CALLBACKS).map(([name, path]) => client(name, path, secret)),
  clientBasedCORS: () => false,
  responseTypes: ['code'],
  pkce: { required: () => true },
  scopes: ['openid'],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'preferred_username', 'picture'],
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
  ttl: {
    AccessToken: TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    Grant: PATIENCE_SECONDS,
    IdToken: TOKEN_SECONDS,
    Interaction: PATIENCE_SECONDS,
    Session: PATIENCE_SECONDS,
  },
  // There is no session that a code could outlive.
  expiresWithSession: () => false,
  interactions: { url: (_ctx, { uid }) => `${PICK_PATH}${uid}` },
  findAccount(_ctx, sub) {
    const person = people.find((each) => each.sub === sub);
    return person && { accountId: sub, claims: () => person };
  },
  renderError(ctx, { error, error_description }) {
    ctx.set(PAGE_HEADERS);
    ctx.body = errorPage(error, error_description ?? 'the provider says no more');
  },
});

/** A native client: its callback may be on any port of this machine (RFC 8252 section 7.3), and nowhere else. */
const client = (name: string, path: string, secret: string) => ({
  client_id: clientId(name),
  client_secret: secret,
  client_name: `Form service (${name})`,
  application_type: 'native' as const,
  grant_types: ['authorization_code'],
  response_types: ['code' as const],
  redirect_uris: [`http://127.0.0.1${path}`, `http://localhost${path}`],
});

const clientId = (name: string): string => `form-service-${name.toLowerCase().replaceAll('_', '-')}`;

/** Two are found by discovery, two by explicit endpoints; no two are alike in what they ask for and how they read it. */
function settingsFor(issuer: string, clientSecret: string): LocalProvider['settings'] {
  const endpoints = {
    issuer,
    authorizationEndpoint: `${issuer}/auth`,
    tokenEndpoint: `${issuer}/token`,
    userinfoEndpoint: `${issuer}/me`,
  };
  const json = (name: keyof typeof CALLBACKS, rest: object): string =>
    JSON.stringify({ clientId: clientId(name), clientSecret, ...rest });
  return {
    LOGIN_PROVIDER_1: json('LOGIN_PROVIDER_1', { issuer }),
    LOGIN_PROVIDER_2: json('LOGIN_PROVIDER_2', { ...endpoints, scopes: ['openid', 'profile', 'email'] }),
    PROVIDER_ONE: json('PROVIDER_ONE', { issuer, scopes: ['openid', 'profile', 'email'] }),
    PROVIDER_TWO: json('PROVIDER_TWO', {
      ...endpoints,
      scopes: ['openid', 'profile'],
      parameters: { prompt: 'consent' },
      profile: { username: 'name' },
    }),
  };
}

type Picking = { provider: Provider; people: readonly ProviderPerson[] };

/** Answers the page at GET and takes the choice at POST. */
async function answerPick(picking: Picking, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method === 'POST') await takeChoice(picking, request, response);
    else await showPage(picking, request, response);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) {
      send(response, 400, errorPage('The request is over', 'it was answered, or took too long; begin anew'));
    } else {
      console.error(`${request.method} ${request.url} could not be answered`, error);
      response.destroy();
    }
  }
}

async function showPage({ provider, people }: Picking, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  const asking = await provider.Client.find(String(params.client_id));
  const page = pickPage({
    client: asking?.clientName ?? '',
    returnsTo: new URL(String(params.redirect_uri)).origin,
    scopes: String(params.scope).split(' '),
    people,
  });
  send(response, 200, page);
}

/** Picking somebody signs in as them, for this one request, and consents to everything that was asked for. */
async function takeChoice({ provider, people }: Picking, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  const form = new URLSearchParams(await text(request));
  const finish = (result: Parameters<typeof provider.interactionFinished>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.has('deny')) {
    return finish({ error: 'access_denied', error_description: 'the person denied the request' });
  }
  const person = people.find(({ sub }) => sub === form.get('sub'));
  if (!person) return send(response, 400, errorPage('Nobody was picked', 'the form names no person of this page'));
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  return finish({ login: { accountId: person.sub, remember: false }, consent: { grantId: await grant.save() } });
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(page) }).end(page);
}
