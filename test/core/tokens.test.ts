/** Access tokens: key rotation, expiry by the given clock, and verifying each token once. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseConfig } from '#core/aws/config.ts';
import { signedTokens } from '#core/identity/tokens.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const alice = { id: '00000000-0000-4000-8000-0000000000a1', roles: ['USER'] as const };
const [older, newer] = [newSecrets(), newSecrets()];
const publicKeys = (...secrets: (typeof older)[]): string =>
  JSON.stringify({ keys: secrets.flatMap(({ TOKEN_PUBLIC_KEYS }) => JSON.parse(TOKEN_PUBLIC_KEYS).keys) });
const tokensOf = (environment: Record<string, string>) =>
  signedTokens(parseConfig({ TABLE_NAME: 'forms', ...environment }).token);
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('when the signing key is replaced', () => {
  const TOKEN_PUBLIC_KEYS = publicKeys(older, newer);

  test('tokens of the old key stay valid while its public key is configured', async () => {
    const token = await tokensOf(older).sign(alice, NOW);
    expect(await tokensOf({ TOKEN_PUBLIC_KEYS }).verify(token, NOW)).toEqual(alice);
    expect(await tokensOf(newer).verify(token, NOW)).toBeUndefined();
  });

  test('tokens of the new key are valid wherever its public key is configured', async () => {
    const token = await tokensOf({ TOKEN_KEY: newer.TOKEN_KEY, TOKEN_PUBLIC_KEYS }).sign(alice, NOW);
    expect(await tokensOf({ TOKEN_PUBLIC_KEYS }).verify(token, NOW)).toEqual(alice);
    expect(await tokensOf(older).verify(token, NOW)).toBeUndefined();
  });
});

describe('a guest credential', () => {
  const tokens = tokensOf(older);
  const form = '019a0000-0000-8abc';
  const guest = { id: `${form}-8000-0000000000a1`, roles: [], guestOf: form };

  test('is no access token, and an access token is none', async () => {
    expect(await tokens.verify(await tokens.signGuest(guest, NOW), NOW)).toBeUndefined();
    const operator = await tokens.sign({ id: guest.id, roles: ['ADMIN'] }, NOW);
    expect(await tokens.verifyGuest(operator, NOW)).toBeUndefined();
  });

  test('names its guest for 30 days, by the given clock', async () => {
    const token = await tokens.signGuest(guest, NOW);
    expect(await tokens.verifyGuest(token, later(2_591_999))).toEqual(guest);
    expect(await tokens.verifyGuest(token, later(2_592_000))).toBeUndefined();
  });

  test('is refused when it names another form than its id is in, or was signed with another key', async () => {
    const elsewhere = { ...guest, guestOf: '019a0000-0001-8abc' };
    expect(await tokens.verifyGuest(await tokens.signGuest(elsewhere, NOW), NOW)).toBeUndefined();
    expect(await tokens.verifyGuest(await tokensOf(newer).signGuest(guest, NOW), NOW)).toBeUndefined();
  });
});

describe('the signature of a token', () => {
  test('is verified once while the token is valid, which ends by the given clock', async () => {
    const tokens = tokensOf(older);
    const token = await tokens.sign(alice, NOW);
    const verify = vi.spyOn(crypto.subtle, 'verify');
    for (const seconds of [0, 1, 3_599]) expect(await tokens.verify(token, later(seconds))).toEqual(alice);
    expect(verify).toHaveBeenCalledTimes(1);
    expect(await tokens.verify(token, later(3_600))).toBeUndefined();
  });

  test('is verified again after a thousand other tokens', async () => {
    const tokens = tokensOf(older);
    const token = await tokens.sign(alice, NOW);
    await tokens.verify(token, NOW);
    for (let second = 1; second <= 1_000; second += 1) {
      await tokens.verify(await tokens.sign(alice, later(second)), later(second));
    }
    const verify = vi.spyOn(crypto.subtle, 'verify');
    expect(await tokens.verify(token, NOW)).toEqual(alice);
    expect(verify).toHaveBeenCalledTimes(1);
  });
});
