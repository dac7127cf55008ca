/**
 * A client of the local identity provider as careful as the service has to be, made of openid-client and the settings
 * that the provider hands out: by discovery where only the issuer is known, else by the endpoints.
 */
import * as client from 'openid-client';
import { ProviderSettings } from '#core/aws/config.ts';
import type { LocalProvider } from '#stacks/local/provider.ts';

/** Where the service takes answers, on ports and names of this machine that it might have. */
export const CALLBACKS = {
  LOGIN_PROVIDER_1: 'http://127.0.0.1:3000/api/auth/login/oauth/LOGIN_PROVIDER_1/callback',
  LOGIN_PROVIDER_2: 'http://localhost:3000/api/auth/login/oauth/LOGIN_PROVIDER_2/callback',
  PROVIDER_ONE: 'http://127.0.0.1:45678/api/oauth/callback/PROVIDER_ONE',
  PROVIDER_TWO: 'http://localhost/api/oauth/callback/PROVIDER_TWO',
};
export type Name = keyof typeof CALLBACKS;
export const NAMES = ['LOGIN_PROVIDER_1', 'LOGIN_PROVIDER_2', 'PROVIDER_ONE', 'PROVIDER_TWO'] as const;

/** What the service is told of the provider under a name. */
export const settingsOf = (from: LocalProvider, name: Name): ProviderSettings =>
  ProviderSettings.parse(JSON.parse(from.settings[name]));

/** Discovery where only the issuer is known, the endpoints as they are otherwise. */
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

/** A request, and what its answer is to be checked with. */
export type Asked = {
  url: URL;
  configuration: client.Configuration;
  checks: { pkceCodeVerifier: string; expectedNonce: string; expectedState: string };
};

/** An authorization request as the service would send a browser on it; `change` changes its parameters. */
export async function askAt(from: LocalProvider, name: Name, change: Record<string, string> = {}): Promise<Asked> {
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

/** Exchanges the code of a callback as a careful client does: state, nonce, verifier and issuer are checked. */
export const exchange = ({ configuration, checks }: Asked, callback: string) =>
  client.authorizationCodeGrant(configuration, new URL(callback), checks);
