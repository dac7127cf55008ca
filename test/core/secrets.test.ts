/** Secrets of a deployed function: read from parameters before the first request, only where declared. */
import { describe, expect, test } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { loadSecrets } from '#core/aws/secrets.ts';
import { StorageBusy } from '#core/db/table.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';

const { TOKEN_KEY, TOKEN_PUBLIC_KEYS, STATE_SECRET } = newSecrets();
const deployed = () => ({
  TABLE_NAME: 'forms',
  TOKEN_PUBLIC_KEYS,
  TOKEN_KEY_PARAMETER: '/forms/production/TOKEN_KEY',
  STATE_SECRET_PARAMETER: '/forms/production/STATE_SECRET',
});
const stored = new Map([
  ['/forms/production/TOKEN_KEY', TOKEN_KEY],
  ['/forms/production/STATE_SECRET', STATE_SECRET],
]);
const store = async (names: readonly string[]) => new Map([...stored].filter(([name]) => names.includes(name)));
const neverRead = async (): Promise<never> => expect.unreachable('no parameter is to be read');

describe('a function', () => {
  test('has the secrets that it declares, and no other', async () => {
    const environment: Record<string, string> = deployed();
    await loadSecrets(['table:read', 'tokens:sign'], environment, store);
    const config = parseConfig(environment);
    expect(config.token.key.d).toEqual(JSON.parse(TOKEN_KEY).d);
    expect(() => config.stateSecret).toThrow('STATE_SECRET is missing');
  });

  test('without secrets reads no parameter', () => {
    expect(loadSecrets(['table:read', 'files:write'], deployed(), neverRead)).toBeUndefined();
  });

  test('reads a parameter once, and keeps a secret that is in its environment', async () => {
    const environment: Record<string, string> = { ...deployed(), TOKEN_KEY: 'mine' };
    await loadSecrets(['tokens:sign', 'states:sign'], environment, store);
    expect(environment).toMatchObject({ TOKEN_KEY: 'mine', STATE_SECRET });
    expect(loadSecrets(['tokens:sign', 'states:sign'], environment, neverRead)).toBeUndefined();
  });

  test('works without the providers that are not configured', async () => {
    const environment: Record<string, string> = { ...deployed() };
    await loadSecrets(['states:sign', 'providers:call'], environment, store);
    expect(parseConfig(environment).providers.LOGIN_PROVIDER_1).toBeUndefined();
  });
});

describe('a failure', () => {
  test('of a missing parameter names it', async () => {
    await expect(loadSecrets(['tokens:sign'], deployed(), async () => new Map())).rejects.toThrow(
      'The SSM parameter /forms/production/TOKEN_KEY, which holds TOKEN_KEY, does not exist',
    );
  });

  test('of a busy SSM is 503, and the next request reads again', async () => {
    const environment = deployed();
    const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    await expect(loadSecrets(['tokens:sign'], environment, () => Promise.reject(throttled))).rejects.toThrow(
      StorageBusy,
    );
    await loadSecrets(['tokens:sign'], environment, store);
    expect(environment).toMatchObject({ TOKEN_KEY });
  });
});
