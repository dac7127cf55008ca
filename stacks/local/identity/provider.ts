/**
 * A certified OpenID provider from npm for local runs and tests, with a page on which one picks a demo person or denies.
 * It stores nothing beyond this process, has no sign-in sessions, and redirects only to the callbacks of this service,
 * on any port of this machine.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Provider, { type Configuration, errors, type JWK } from 'oidc-provider';
import { closeNow, HOST, listen } from '../gateway/listening.ts';
import { errorPage, PAGE_HEADERS, pickPage } from './page.ts';
import { PROVIDER_PEOPLE, type ProviderPerson } from './people.ts';
import { PICTURE_TYPE, pictureUrl, renderPicture } from './pictures.ts';
import { providerStore } from './store.ts';

const CALLBACKS = {
  LOGIN_PROVIDER_1: '/api/auth/login/oauth/LOGIN_PROVIDER_1/callback',
  LOGIN_PROVIDER_2: '/api/auth/login/oauth/LOGIN_PROVIDER_2/callback',
  PROVIDER_ONE: '/api/oauth/callback/PROVIDER_ONE',
  PROVIDER_TWO: '/api/oauth/callback/PROVIDER_TWO',
} as const;

export type LocalProvider = {
  issuer: string;
  /** JSON values of the environment variables with these names (`core/aws/variables.ts`). */
  settings: Record<keyof typeof CALLBACKS | 'LOGIN_TITLES' | 'CONNECT_TITLES', string>;
  /** Closes all connections and frees the port. */
  stop(): Promise<void>;
};

const PICK_PATH = '/pick/';
const CODE_SECONDS = 60;
const TOKEN_SECONDS = 5 * 60;
const INTERACTION_SECONDS = 15 * 60;

/**
 * Starts the provider on a port (a free one when none is given) with the people that can be picked on its page. Their
 * pictures are at `pictureOrigin`, by default here.
 * Keys and client secrets are new at each start. Throws when the port is taken.
 */
export async function startProvider(
  options: { port?: number; people?: readonly ProviderPerson[]; pictureOrigin?: () => string } = {},
): Promise<LocalProvider> {
  const { port = 0, people = PROVIDER_PEOPLE, pictureOrigin = () => issuer } = options;
  const key = await signingKey();
  const server = createServer();
  const issuer = `http://${HOST}:${await listen(server, port)}`;
  const secret = randomBytes(32).toString('base64url');
  const provider = new Provider(issuer, configuration({ key, secret, people, pictureOrigin }));
  const handle = provider.callback();
  server.on('request', (request, response) => {
    const { url = '/' } = request;
    const picture = renderPicture(people, url);
    if (picture !== undefined) response.writeHead(200, { 'content-type': PICTURE_TYPE }).end(picture);
    else if (url.startsWith(PICK_PATH)) void handlePick({ provider, people }, request, response);
    else void handle(request, response);
  });
  return { issuer, settings: settingsFor(issuer, secret), stop: () => closeNow(server) };
}

/** RS256 is what nearly every provider signs with, and the default that clients expect. */
async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
}

type Parts = { key: JWK; secret: string; people: readonly ProviderPerson[]; pictureOrigin: () => string };

/** The code flow with PKCE and nothing else. Settings that look redundant silence warnings of the library. */
const configuration = ({ key, secret, people, pictureOrigin }: Parts): Configuration => ({
  adapter: providerStore(),
  jwks: { keys: [key] },
  cookies: {
    keys: [randomBytes(32).toString('base64url')],
    // A browser sends cookies to every port of a host; the path keeps these from the service.
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
    Grant: INTERACTION_SECONDS,
    IdToken: TOKEN_SECONDS,
    Interaction: INTERACTION_SECONDS,
    Session: INTERACTION_SECONDS,
  },
  // There are no sessions that a code could outlive.
  expiresWithSession: () => false,
  interactions: { url: (_ctx, { uid }) => `${PICK_PATH}${uid}` },
  findAccount(_ctx, sub) {
    const person = people.find((each) => each.sub === sub);
    return person && { accountId: sub, claims: () => ({ ...person, picture: pictureUrl(pictureOrigin(), person) }) };
  },
  renderError(ctx, { error, error_description }) {
    ctx.set(PAGE_HEADERS);
    ctx.body = errorPage(error, error_description ?? 'the provider gives no details');
  },
});

/** A native client: RFC 8252 allows its callback on any port of this machine, and nowhere else. */
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

/** Two use discovery and two explicit endpoints; each has other scopes, parameters or profile fields. */
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
    LOGIN_TITLES: JSON.stringify({
      LOGIN_PROVIDER_1: 'the demo provider',
      LOGIN_PROVIDER_2: 'the other demo provider',
    }),
    CONNECT_TITLES: JSON.stringify({
      PROVIDER_ONE: 'the demo provider',
      PROVIDER_TWO: 'the other demo provider',
    }),
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

type PickContext = { provider: Provider; people: readonly ProviderPerson[] };

/** Shows the page on GET and accepts the choice on POST. */
async function handlePick(context: PickContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method === 'POST') await takeChoice(context, request, response);
    else await showPage(context, request, response);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) {
      send(response, 400, errorPage('The request has ended', 'it was completed, or took too long; start again'));
    } else {
      console.error(`${request.method} ${request.url} failed`, error);
      response.destroy();
    }
  }
}

async function showPage({ provider, people }: PickContext, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  const requestingClient = await provider.Client.find(String(params.client_id));
  const page = pickPage({
    client: requestingClient?.clientName ?? '',
    returnsTo: new URL(String(params.redirect_uri)).origin,
    scopes: String(params.scope).split(' '),
    people,
  });
  send(response, 200, page);
}

/** Signs in as the picked person for this one request, with consent to all requested scopes. */
async function takeChoice({ provider, people }: PickContext, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response);
  const form = new URLSearchParams(await text(request));
  const finish = (result: Parameters<typeof provider.interactionFinished>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.has('deny')) {
    return finish({ error: 'access_denied', error_description: 'the person denied the request' });
  }
  const person = people.find(({ sub }) => sub === form.get('sub'));
  if (!person) return send(response, 400, errorPage('Nobody was picked', 'choose a person of the page'));
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  return finish({ login: { accountId: person.sub, remember: false }, consent: { grantId: await grant.save() } });
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(page) }).end(page);
}
