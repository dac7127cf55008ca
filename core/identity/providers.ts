/**
 * Identity providers, by OAuth 2 and OpenID Connect through `openid-client`, which is loaded at the first call to a
 * provider.
 */
import type { ClientAuth, Configuration, ServerMetadata, TokenEndpointResponseHelpers } from 'openid-client';
import type { Ports } from '#core/db/ports.ts';
import { problems } from '#core/problems/problems.ts';
import type { ProviderName } from './model.ts';
import { type Profile, parseProfile } from './profile.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The limit of one request to a provider. */
const TIMEOUT_SECONDS = 5;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

type Claims = Record<string, unknown>;

/** The settings of each provider; undefined for one that is not configured. */
export type ProvidersSettings = { readonly [Name in ProviderName]: ProviderSettings | undefined };

type AuthorizationRequest = { redirectUri: string; state: string; challenge: string; nonce: string };
/** The query of a callback as it was sent, with what belongs to its authorization request. */
type AuthorizationResponse = { redirectUri: string; rawQuery: string; verifier: string; nonce: string };

export type Providers = {
  /** The URL of a provider's page for an authorization request. Throws 503 while the provider cannot be reached. */
  authorize(name: ProviderName, request: AuthorizationRequest): Promise<string>;
  /**
   * Exchanges the code of a callback for the person's profile: the userinfo merged over the claims of the ID token, both
   * of the same subject. State, nonce, issuer and ID token are checked. Never throws; failures are logged.
   */
  fetchProfile(
    name: ProviderName,
    response: AuthorizationResponse,
  ): Promise<{ profile: Profile } | { error: 'exchange_failed' | 'profile_failed' }>;
};

/** Creates the port to the configured providers. What is discovered is kept for the process; a failure is not. */
export function configuredProviders(providers: ProvidersSettings, log: Ports['log']): Providers {
  const configurations = new Map<ProviderName, Promise<Configuration>>();
  const loadConfiguration = (name: ProviderName): Promise<Configuration> => {
    const existing = configurations.get(name);
    if (existing) return existing;
    const created = configure(requireSettings(providers, name));
    configurations.set(name, created);
    created.catch(() => configurations.delete(name));
    return created;
  };
  const logFailure = (provider: ProviderName, failed: string, error: unknown): void =>
    log({ level: 'warn', provider, failed, ...describeError(error) });
  return {
    async authorize(name, request) {
      try {
        return await buildPageUrl(await loadConfiguration(name), requireSettings(providers, name), request);
      } catch (cause) {
        logFailure(name, 'provider_unavailable', cause);
        throw problems.providerUnavailable(name, cause);
      }
    },
    async fetchProfile(name, response) {
      let step: 'exchange_failed' | 'profile_failed' = 'exchange_failed';
      try {
        const settings = requireSettings(providers, name);
        const configuration = await loadConfiguration(name);
        const tokens = await exchange(configuration, settings, response);
        step = 'profile_failed';
        const profile = parseProfile(settings.profile, await readClaims(configuration, settings, tokens));
        if (!profile) throw new Error('the claims have no usable subject');
        return { profile };
      } catch (cause) {
        logFailure(name, step, cause);
        return { error: step };
      }
    },
  };
}

function requireSettings(providers: ProvidersSettings, name: ProviderName): ProviderSettings {
  const settings = providers[name];
  if (!settings) throw new Error(`the provider ${name} is not configured`);
  return settings;
}

/** Describes an error for logs: its message, and only the types of its causes, which may quote personal data. */
function describeError(error: unknown): { why: string; kinds: string[] } {
  const kinds: string[] = [];
  let cause = error;
  while (cause instanceof Error && kinds.length < 5) {
    const code = 'code' in cause ? cause.code : undefined;
    const refusal = 'error' in cause ? cause.error : undefined;
    const parts = [cause.name, code, refusal].filter((part) => typeof part === 'string');
    kinds.push(parts.join(' ').slice(0, 200));
    cause = cause.cause;
  }
  return { why: error instanceof Error ? error.message : String(error), kinds };
}

/** Whether the provider issues an ID token; otherwise it is plain OAuth 2. */
const isOpenId = ({ scopes }: ProviderSettings): boolean => scopes.includes('openid');

async function buildPageUrl(
  configuration: Configuration,
  settings: ProviderSettings,
  request: AuthorizationRequest,
): Promise<string> {
  const { buildAuthorizationUrl } = await import('openid-client');
  const url = buildAuthorizationUrl(configuration, {
    ...settings.parameters,
    ...(settings.scopes.length > 0 ? { scope: settings.scopes.join(' ') } : {}),
    ...(isOpenId(settings) ? { nonce: request.nonce } : {}),
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  });
  return url.href;
}

type TokenResponse = Awaited<ReturnType<typeof import('openid-client').authorizationCodeGrant>> &
  TokenEndpointResponseHelpers;

async function exchange(
  configuration: Configuration,
  settings: ProviderSettings,
  response: AuthorizationResponse,
): Promise<TokenResponse> {
  const { authorizationCodeGrant } = await import('openid-client');
  const url = new URL(response.redirectUri);
  url.search = response.rawQuery;
  // Without a configured issuer there is nothing to compare `iss` with; each provider has its own callback.
  if (settings.issuer === undefined) url.searchParams.delete('iss');
  return authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: response.verifier,
    expectedState: url.searchParams.get('state') ?? '',
    ...(isOpenId(settings) ? { expectedNonce: response.nonce, idTokenExpected: true } : {}),
  });
}

async function readClaims(
  configuration: Configuration,
  settings: ProviderSettings,
  tokens: TokenResponse,
): Promise<Claims> {
  const { fetchProtectedResource, fetchUserInfo } = await import('openid-client');
  const userinfo = configuration.serverMetadata().userinfo_endpoint;
  if (isOpenId(settings)) {
    const claims = tokens.claims();
    if (!claims) throw new Error('there is no ID token');
    if (!userinfo) return claims;
    return mergeClaims(claims, await fetchUserInfo(configuration, tokens.access_token, claims.sub), settings.profile);
  }
  if (!userinfo) throw new Error('there is no userinfo endpoint');
  const headers = new Headers({ accept: 'application/json' });
  const url = new URL(userinfo);
  const response = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET', undefined, headers);
  const claims: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (isObject(claims)) return claims;
  throw new Error(`the userinfo endpoint responds with ${response.status} and no JSON object`);
}

/** Merges userinfo over the claims of the ID token. The address counts as verified only if its own source says so. */
function mergeClaims(claims: Claims, userinfo: Claims, mapping: ProviderSettings['profile']): Claims {
  const { email, emailVerified } = mapping;
  const merged = { ...claims, ...userinfo };
  const sources = [userinfo, claims].filter((source) => source[email] === merged[email]);
  const source = sources.find((candidate) => Object.hasOwn(candidate, emailVerified));
  return { ...merged, [emailVerified]: source?.[emailVerified] };
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Creates the library's configuration of a provider. Throws when an endpoint is neither https nor on this machine. */
async function configure(settings: ProviderSettings): Promise<Configuration> {
  const { Configuration, allowInsecureRequests } = await import('openid-client');
  const server = await loadMetadata(settings);
  const configuration = new Configuration(
    server,
    settings.clientId,
    settings.clientSecret,
    await chooseAuthentication(settings, server),
  );
  configuration.timeout = TIMEOUT_SECONDS;
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = server;
  const urls = [issuer, authorization_endpoint, token_endpoint, userinfo_endpoint].filter((url) => url !== undefined);
  if (urls.map(isInsecure).includes(true)) allowInsecureRequests(configuration);
  return configuration;
}

/** Loads the endpoints of a provider: the configured ones, else those of the issuer's discovery document. */
async function loadMetadata(settings: ProviderSettings): Promise<ServerMetadata> {
  const { issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = settings;
  const configured = {
    ...(authorizationEndpoint ? { authorization_endpoint: authorizationEndpoint } : {}),
    ...(tokenEndpoint ? { token_endpoint: tokenEndpoint } : {}),
    ...(userinfoEndpoint ? { userinfo_endpoint: userinfoEndpoint } : {}),
  };
  if (authorizationEndpoint && tokenEndpoint && userinfoEndpoint) {
    return { issuer: issuer ?? new URL(tokenEndpoint).origin, ...configured };
  }
  if (!issuer) throw new Error('there is neither an issuer nor all of the endpoints');
  const { allowInsecureRequests, discovery } = await import('openid-client');
  const discovered = await discovery(new URL(issuer), settings.clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    ...(isInsecure(issuer) ? { execute: [allowInsecureRequests] } : {}),
  });
  const { supportsPKCE: _supportsPKCE, ...metadata } = discovered.serverMetadata();
  return { ...metadata, ...configured };
}

/** Chooses how the client authenticates: as configured, else by HTTP Basic unless the discovery document offers only POST. */
async function chooseAuthentication(settings: ProviderSettings, server: ServerMetadata): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client');
  const { clientSecret, clientAuthentication } = settings;
  if (clientSecret === undefined) return None();
  const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const onlyPost = offered.includes('client_secret_post') && !offered.includes('client_secret_basic');
  const wantsPost = clientAuthentication === undefined ? onlyPost : clientAuthentication === 'post';
  return wantsPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/** Whether a URL is plain http, which is allowed on this machine only. */
function isInsecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return false;
  if (protocol === 'http:' && LOOPBACK.has(hostname)) return true;
  throw new Error(`${url} must be https; http is only for providers on this machine`);
}
