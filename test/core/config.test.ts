/** Configuration by need: a function works with the variables of what it declares, and says which one it lacks. */
import { describe, expect, test } from 'vitest';
import { type Config, parseConfig } from '#core/aws/config.ts';
import { variables } from '#core/aws/variables.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';

const provider = JSON.stringify({ issuer: 'https://id.example.org', clientId: 'x' });
const COMPLETE: Record<string, string> = {
  ...newSecrets(),
  TABLE_NAME: 'forms',
  BUCKET_NAME: 'bucket',
  LOGIN_PROVIDER_1: provider,
  LOGIN_PROVIDER_2: provider,
  PROVIDER_ONE: provider,
  PROVIDER_TWO: provider,
  SHEETS_KEY: JSON.stringify({ client_email: 'forms@example.org', private_key: 'pem' }),
};

/** The configuration of a function that gets the variables of these needs. */
const configWith = (...needs: (keyof ReturnType<typeof variables>)[]): Config => {
  const names = new Set(needs.flatMap((need) => variables()[need]));
  return parseConfig(Object.fromEntries(Object.entries(COMPLETE).filter(([name]) => names.has(name))));
};

/** What a need brings, and the error without it. */
const SECRETS: [need: keyof ReturnType<typeof variables>, read: (config: Config) => unknown, error: RegExp][] = [
  ['tokens:sign', ({ token }) => token.key.d, /TOKEN_KEY is missing/],
  ['states:sign', ({ stateSecret }) => stateSecret, /STATE_SECRET is missing/],
];

describe('a function', () => {
  test.for(SECRETS)('that needs %s has what that takes; one that does not says what is missing', ([
    need,
    read,
    error,
  ]) => {
    expect(read(configWith('always', need))).toEqual(expect.any(String));
    expect(() => read(configWith('always'))).toThrow(error);
  });

  test('without any need verifies access tokens, and has no secret', () => {
    const config = configWith('always');
    expect(config.token.publicKeys.keys).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
    expect(config.providers.PROVIDER_ONE).toBeUndefined();
  });

  test('that writes spreadsheets has the key of their account, if there is one', () => {
    expect(configWith('always', 'sheets:call').sheets?.account.client_email).toBe('forms@example.org');
    expect(configWith('always').sheets).toBeUndefined();
  });

  test('that calls providers has their settings', () => {
    expect(Object.values(configWith('always', 'providers:call').providers)).toHaveLength(4);
    expect(configWith('always', 'providers:call').providers.PROVIDER_ONE?.clientId).toBe('x');
  });
});

describe('an error', () => {
  test.for([
    [{ TABLE_NAME: undefined }, () => undefined, /TABLE_NAME is missing/],
    [{ PUBLIC_URL: 'x', DEVELOPMENT: 'yes' }, () => undefined, /PUBLIC_URL: .*; DEVELOPMENT: /],
    [{ MAX_STORED_GB: '0' }, ({ maxGuestBytes }: Config) => maxGuestBytes, /MAX_STORED_GB: /],
    [{ REFRESH_TOKEN_DAYS: '1.5' }, ({ token }: Config) => token.refreshDays, /REFRESH_TOKEN_DAYS: /],
    [{ TOKEN_KEY: '{"kty":"OKP"}' }, ({ token }: Config) => token.key, /TOKEN_KEY\.crv: .*TOKEN_KEY\.kid: /],
    [{ TOKEN_PUBLIC_KEYS: 'x' }, ({ token }: Config) => token.publicKeys, /TOKEN_PUBLIC_KEYS: /],
    [{ TOKEN_KEY: newSecrets().TOKEN_KEY }, ({ token }: Config) => token.key, /TOKEN_PUBLIC_KEYS has no key/],
    [{ PROVIDER_ONE: '{}' }, ({ providers }: Config) => providers.PROVIDER_ONE, /PROVIDER_ONE\.clientId: /],
  ] as const)('of %j names each variable', ([change, read, error]) => {
    expect(() => read(parseConfig({ ...COMPLETE, ...change }))).toThrow(error);
  });

  test('in the settings of one provider leaves the others usable', () => {
    const { providers } = parseConfig({ ...COMPLETE, PROVIDER_ONE: '{}' });
    expect(providers.PROVIDER_TWO?.clientId).toBe('x');
  });
});

test.for([
  ['https://forms.example.org', 'https://forms.example.org'],
  ['https://forms.example.org/', 'https://forms.example.org'],
  ['https://example.org/stage//', 'https://example.org/stage'],
] as const)('a service at %s gives links that begin with %s', ([PUBLIC_URL, expected]) => {
  expect(parseConfig({ ...COMPLETE, PUBLIC_URL }).publicUrl).toBe(expected);
});

test('guests of a form store 2 GB of files, unless it is said otherwise', () => {
  expect(parseConfig(COMPLETE).maxGuestBytes).toBe(2_147_483_648);
  expect(parseConfig({ ...COMPLETE, MAX_GUEST_STORED_GB: '0.5' }).maxGuestBytes).toBe(536_870_912);
});

test.for([
  ['https://forms.example.org', true],
  ['http://127.0.0.1:3000', false],
] as const)('cookies of a service at %s are Secure: %s', ([PUBLIC_URL, secure]) => {
  expect(parseConfig({ ...COMPLETE, PUBLIC_URL }).cookies.secure).toBe(secure);
});
