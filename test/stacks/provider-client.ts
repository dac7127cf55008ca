/**
 * A client of the local identity provider, with openid-client and the provider's settings: by discovery if there is only
 * an issuer, otherwise with explicit endpoints.
 */
import * as client from 'openid-client';
import { ProviderSettings } from '#core/identity/provider-settings.ts';
import type { LocalProvider } from '#stacks/local/identity/provider.ts';

/** Callback URLs of the service, with various ports and names of this machine. */
export const CALLBACKS = {
  LOGIN_PROVIDER_1: 'http://127.0.0.1:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback',
  LOGIN_PROVIDER_2: 'http://localhost:3000/api/auth/login/oauth/LOGIN_PROVIDER_2/callback',
  PROVIDER_ONE: 'http://127.0.0.1:45678/api/oauth/callback/PROVIDER_ONE',
  PROVIDER_TWO: 'http://localhost/api/oauth/callback/PROVIDER_TWO',
};
export type Name = keyof typeof CALLBACKS;
export const NAMES = ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2', 'PROVIDER_ONE', 'PROVIDER_TWO'] as const;

/** The settings of the provider under a name. */
export const settingsOf = (from: LocalProvider, name: Name): ProviderSettings =>
  ProviderSettings().parse(JSON.parse(from.settings[name]));

/** Uses discovery if only the issuer is configured, and otherwise the endpoints. */
async function configurationOf(settings: ProviderSettings): Promise<client.Configuration> {
  const { issuer = '', clientId, clientSecret, authorizationEndpoint } = settings;
  if (authorizationEndpoint === undefined) {
    return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: [client.allowInsecureRequests],
    });
  }
  const { tokenEndpoint = '', userinfoEndpoint = '' } = settings;
  const server = {
    issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    userinfo_endpoint: userinfoEndpoint,
  };
  const configuration = new client.Configuration(server, clientId, clientSecret);
  client.allowInsecureRequests(configuration);
  return configuration;
}

/** An authorization request, and what its callback is checked against. */
export type Authorization = {
  url: URL;
  configuration: client.Configuration;
  checks: { pkceCodeVerifier: string; expectedNonce: string; expectedState: string };
};

/** A new authorization request like one of the service; `change` replaces parameters. */
export async function authorize(
  from: LocalProvider,
  name: Name,
  change: Record<string, string> = {},
): Promise<Authorization> {
  const settings = settingsOf(from, name);
  const configuration = await configurationOf(settings);
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedNonce: client.randomNonce(),
    expectedState: client.randomState(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: CALLBACKS[name],
    scope: settings.scopes.join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: checks.expectedNonce,
    state: checks.expectedState,
    ...settings.parameters,
    ...change,
  });
  return { url, configuration, checks };
}

/** Exchanges the code of a callback; checks state, nonce, verifier and issuer. */
export const exchange = ({ configuration, checks }: Authorization, callback: string) =>
  client.authorizationCodeGrant(configuration, new URL(callback), checks);
