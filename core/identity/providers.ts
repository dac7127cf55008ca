/**
 * Providers of identities, as operations use them: OAuth 2 and OpenID Connect through `openid-client`, which is loaded
 * when a provider is first spoken to. What a provider is, is configuration (`ProviderSettings` in core/aws/config.ts);
 * what its claims mean is read in `core/accounts/profile.ts`.
 */
import type { ClientAuth, Configuration, ServerMetadata, TokenEndpointResponseHelpers } from 'openid-client';
import type { Config, ProviderName, ProviderSettings } from '#core/aws/config.ts';
import { log } from '#core/http/log.ts';
import { problems } from '#core/problems/problems.ts';

/** Seconds that one request to a provider may take. */
const PATIENCE_SECONDS = 5;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type Claims = Record<string, unknown>;

/** What a browser is sent to a provider with. */
export type Asking = { redirectUri: string; state: string; challenge: string; nonce: string };
/** What it came back with: the query as it is, and what the code was asked for with. */
export type CameBack = { redirectUri: string; query: string; verifier: string; nonce: string };
/** What a provider says of a person, or where asking it ended. */
export type Fetched = { claims: Claims } | { failed: FailedStep };
type FailedStep = 'exchange_failed' | 'profile_failed';

export type Providers = {
  /** The URL of a provider's page on which a person agrees. Throws 503 while the provider cannot be used. */
  authorize(name: ProviderName, asking: Asking): Promise<string>;
  /**
   * Exchanges the code that a browser came back with for what the provider says of the person: its userinfo over the
   * claims of the ID token, both of one subject. State, nonce, issuer and ID token are checked. Never throws.
   */
  fetchProfile(name: ProviderName, came: CameBack): Promise<Fetched>;
};

/** The providers of a configuration. What is discovered of one is kept for the process; a failure is not. */
export function configuredProviders(providers: Config['providers']): Providers {
  const known = new Map<ProviderName, Promise<Configuration>>();
  const configurationOf = (name: ProviderName): Promise<Configuration> => {
    const kept = known.get(name);
    if (kept) return kept;
    const fresh = configure(settingsOf(providers, name));
    known.set(name, fresh);
    fresh.catch(() => known.delete(name));
    return fresh;
  };
  return {
    async authorize(name, asking) {
      const settings = settingsOf(providers, name);
      try {
        return await pageUrl(await configurationOf(name), settings, asking);
      } catch (cause) {
        tell(name, 'provider_unavailable', cause);
        throw problems.providerUnavailable(name, cause);
      }
    },
    async fetchProfile(name, came) {
      const settings = settingsOf(providers, name);
      let failed: FailedStep = 'exchange_failed';
      try {
        const configuration = await configurationOf(name);
        const tokens = await exchange(configuration, settings, came);
        failed = 'profile_failed';
        return { claims: await readClaims(configuration, settings, tokens) };
      } catch (cause) {
        tell(name, failed, cause);
        return { failed };
      }
    },
  };
}

function settingsOf(providers: Config['providers'], name: ProviderName): ProviderSettings {
  const settings = providers[name];
  if (!settings) throw new Error(`the provider ${name} is not configured`);
  return settings;
}

/**
 * Logs why a provider could not be used: what failed, and of each cause its kind. Texts of deeper causes may quote what
 * the provider said, and that is nobody's but the person's.
 */
function tell(provider: ProviderName, failed: string, error: unknown): void {
  const kinds: string[] = [];
  let cause = error;
  while (cause instanceof Error && kinds.length < 5) {
    const code = 'code' in cause ? cause.code : undefined;
    const refusal = 'error' in cause ? cause.error : undefined;
    const parts = [cause.name, code, refusal].filter((part) => typeof part === 'string');
    kinds.push(parts.join(' ').slice(0, 200));
    cause = cause.cause;
  }
  log({ level: 'warn', provider, failed, why: error instanceof Error ? error.message : String(error), kinds });
}

/** Where `openid` is asked for there is an ID token; elsewhere it is OAuth 2 alone. */
const isOpenId = ({ scopes }: ProviderSettings): boolean => scopes.includes('openid');

async function pageUrl(configuration: Configuration, settings: ProviderSettings, asking: Asking): Promise<string> {
  const { buildAuthorizationUrl } = await import('openid-client');
  const url = buildAuthorizationUrl(configuration, {
    ...settings.parameters,
    ...(settings.scopes.length > 0 ? { scope: settings.scopes.join(' ') } : {}),
    ...(isOpenId(settings) ? { nonce: asking.nonce } : {}),
    redirect_uri: asking.redirectUri,
    state: asking.state,
    code_challenge: asking.challenge,
    code_challenge_method: 'S256',
  });
  return url.href;
}

type Tokens = Awaited<ReturnType<typeof import('openid-client').authorizationCodeGrant>> & TokenEndpointResponseHelpers;

async function exchange(configuration: Configuration, settings: ProviderSettings, came: CameBack): Promise<Tokens> {
  const { authorizationCodeGrant } = await import('openid-client');
  const url = new URL(came.redirectUri);
  url.search = came.query;
  // Without a configured issuer there is nothing to hold `iss` against; each provider has a callback of its own.
  if (settings.issuer === undefined) url.searchParams.delete('iss');
  return authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: came.verifier,
    expectedState: url.searchParams.get('state') ?? '',
    ...(isOpenId(settings) ? { expectedNonce: came.nonce, idTokenExpected: true } : {}),
  });
}

async function readClaims(configuration: Configuration, settings: ProviderSettings, tokens: Tokens): Promise<Claims> {
  const { fetchProtectedResource, fetchUserInfo } = await import('openid-client');
  const userinfo = configuration.serverMetadata().userinfo_endpoint;
  if (isOpenId(settings)) {
    const claims = tokens.claims();
    if (!claims) throw new Error('there is no ID token');
    if (!userinfo) return claims;
    return together(claims, await fetchUserInfo(configuration, tokens.access_token, claims.sub), settings.profile);
  }
  if (!userinfo) throw new Error('there is no userinfo endpoint');
  const headers = new Headers({ accept: 'application/json' });
  const answer = await fetchProtectedResource(
    configuration,
    tokens.access_token,
    new URL(userinfo),
    'GET',
    undefined,
    headers,
  );
  const said: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
  if (isObject(said)) return said;
  throw new Error(`the userinfo endpoint answers ${answer.status} without an object of JSON`);
}

/** Userinfo over the claims of the ID token; whoever vouches for an e-mail address vouches for the one that they name. */
function together(claims: Claims, userinfo: Claims, { email, emailVerified }: ProviderSettings['profile']): Claims {
  const all = { ...claims, ...userinfo };
  const vouching = [userinfo, claims].find((said) => said[email] === all[email] && Object.hasOwn(said, emailVerified));
  return { ...all, [emailVerified]: vouching?.[emailVerified] };
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the library needs to speak to a provider. Throws where one of its addresses is neither https nor of this machine. */
async function configure(settings: ProviderSettings): Promise<Configuration> {
  const { Configuration, allowInsecureRequests } = await import('openid-client');
  const server = await metadataOf(settings);
  const configuration = new Configuration(
    server,
    settings.clientId,
    settings.clientSecret,
    await authenticationOf(settings, server),
  );
  configuration.timeout = PATIENCE_SECONDS;
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = server;
  const addresses = [issuer, authorization_endpoint, token_endpoint, userinfo_endpoint];
  const insecure = addresses.filter((address) => address !== undefined).map(isInsecure);
  if (insecure.includes(true)) allowInsecureRequests(configuration);
  return configuration;
}

/** The endpoints of a provider: as configured, else as its issuer says. */
async function metadataOf(settings: ProviderSettings): Promise<ServerMetadata> {
  const { issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = settings;
  const given = {
    ...(authorizationEndpoint ? { authorization_endpoint: authorizationEndpoint } : {}),
    ...(tokenEndpoint ? { token_endpoint: tokenEndpoint } : {}),
    ...(userinfoEndpoint ? { userinfo_endpoint: userinfoEndpoint } : {}),
  };
  if (authorizationEndpoint && tokenEndpoint && userinfoEndpoint) {
    return { issuer: issuer ?? new URL(tokenEndpoint).origin, ...given };
  }
  if (!issuer) throw new Error('there is neither an issuer nor all of the endpoints');
  const { allowInsecureRequests, discovery } = await import('openid-client');
  const discovered = await discovery(new URL(issuer), settings.clientId, undefined, undefined, {
    timeout: PATIENCE_SECONDS,
    ...(isInsecure(issuer) ? { execute: [allowInsecureRequests] } : {}),
  });
  const { supportsPKCE: _asked, ...found } = discovered.serverMetadata();
  return { ...found, ...given };
}

/** As configured; else HTTP Basic, which every provider has to take (RFC 6749 section 2.3.1), but where it says not. */
async function authenticationOf(settings: ProviderSettings, server: ServerMetadata): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client');
  const { clientSecret, clientAuthentication } = settings;
  if (clientSecret === undefined) return None();
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const onlyPost = taken.includes('client_secret_post') && !taken.includes('client_secret_basic');
  const wantsPost = clientAuthentication === undefined ? onlyPost : clientAuthentication === 'post';
  return wantsPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/** Whether an address is plain http, which is for this machine alone. */
function isInsecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return false;
  if (protocol === 'http:' && LOOPBACK.has(hostname)) return true;
  throw new Error(`${address} must be https; http is for providers on this machine`);
}
