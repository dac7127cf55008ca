/** The settings of a stage are refused when they are wrong, with an error that names them. */
import { describe, expect, test } from 'vitest';
import { listSecrets } from '#core/aws/secrets.ts';
import { allFunctions } from '#stacks/functions.ts';
import { newSecrets } from '#stacks/operate/new-keys.ts';
import { buildEnvironment, readStage } from '#stacks/stage.ts';

const { TOKEN_PUBLIC_KEYS, TOKEN_KEY } = newSecrets();
const MAIL_FROM = 'Forms <forms@example.org>';
const ALARM_EMAIL = 'operators@example.org';

describe('a setting that is refused', () => {
  test.for([
    ['missing public keys', {}, /TOKEN_PUBLIC_KEYS is missing/],
    ['a secret', { TOKEN_PUBLIC_KEYS, TOKEN_KEY }, /TOKEN_KEY is a secret: store it as an SSM parameter/],
    ['a private key among the public ones', { TOKEN_PUBLIC_KEYS: `{"keys":[${TOKEN_KEY}]}` }, /contains a private key/],
    [
      'sign-in by user id',
      { TOKEN_PUBLIC_KEYS, INTERNAL_LOGIN: 'true' },
      /INTERNAL_LOGIN must not be true in production/,
    ],
    ['every origin', { TOKEN_PUBLIC_KEYS, ALLOWED_ORIGINS: '*' }, /ALLOWED_ORIGINS/],
    [
      'an origin with a path',
      { TOKEN_PUBLIC_KEYS, ALLOWED_ORIGINS: 'https://app.example.org/' },
      /ALLOWED_ORIGINS.*must be an origin/,
    ],
    ['an unknown secret', { TOKEN_PUBLIC_KEYS, OPTIONAL_SECRETS: 'LOGIN_PROVIDER_3' }, /OPTIONAL_SECRETS/],
    [
      'a provider without a title',
      { TOKEN_PUBLIC_KEYS, OPTIONAL_SECRETS: 'LOGIN_PROVIDER_2', LOGIN_TITLES: '{"LOGIN_PROVIDER_1":"Example ID"}' },
      /LOGIN_PROVIDER_1 must be both in OPTIONAL_SECRETS and in LOGIN_TITLES/,
    ],
    [
      'a service of connected accounts without a title',
      { TOKEN_PUBLIC_KEYS, OPTIONAL_SECRETS: 'PROVIDER_TWO' },
      /PROVIDER_TWO must be both in OPTIONAL_SECRETS and in CONNECT_TITLES/,
    ],
    [
      'a zone that does not exist',
      { TOKEN_PUBLIC_KEYS, TIME_ZONE: 'Mars/Olympus' },
      /TIME_ZONE must be a time zone.*Mars\/Olympus/,
    ],
    ['a sender without address', { TOKEN_PUBLIC_KEYS, MAIL_FROM: 'Forms' }, /MAIL_FROM/],
    [
      'a sender of another domain',
      { TOKEN_PUBLIC_KEYS, MAIL_DOMAIN: 'example.com' },
      /MAIL_FROM must be an address of/,
    ],
    ['a limit of organizations that is no number', { TOKEN_PUBLIC_KEYS, MAX_STORED_GB: 'much' }, /MAX_STORED_GB/],
    ['an invalid setting of the functions', { TOKEN_PUBLIC_KEYS, ACCESS_TOKEN_MINUTES: 'x' }, /ACCESS_TOKEN_MINUTES/],
  ] satisfies [string, Record<string, string>, RegExp][])('%s', ([, settings, error]) => {
    expect(() => readStage('production', { MAIL_FROM, ALARM_EMAIL, ...settings })).toThrow(error);
  });
});

test('production is not deployed without an address for alarms', () => {
  expect(() => readStage('production', { MAIL_FROM, TOKEN_PUBLIC_KEYS })).toThrow(/ALARM_EMAIL is missing/);
  expect(readStage('alice', { MAIL_FROM, TOKEN_PUBLIC_KEYS }).alarmEmail).toBeUndefined();
});

test('a budget needs somebody who is told', () => {
  const settings = { MAIL_FROM, TOKEN_PUBLIC_KEYS, MONTHLY_BUDGET: '12.5' };
  expect(() => readStage('alice', settings)).toThrow(/MONTHLY_BUDGET needs ALARM_EMAIL/);
  expect(readStage('alice', { ...settings, ALARM_EMAIL }).monthlyBudget).toBe(12.5);
  expect(() => readStage('alice', { ...settings, ALARM_EMAIL, MONTHLY_BUDGET: '0' })).toThrow(/MONTHLY_BUDGET/);
});

test('a function gets its variables, the names of its secrets, and no more', () => {
  const settings = {
    TOKEN_PUBLIC_KEYS,
    OPERATOR_EMAILS: 'o@example.org',
    HOME: '/root',
    OPTIONAL_SECRETS: 'PROVIDER_ONE',
    CONNECT_TITLES: '{"PROVIDER_ONE":"Example ID"}',
    MAIL_FROM,
    ALARM_EMAIL,
  };
  const stage = readStage('production', settings);
  const created = { TABLE_NAME: 'forms', BUCKET_NAME: 'files', PUBLIC_URL: 'https://forms.example.org' };
  const common = {
    TABLE_NAME: 'forms',
    BUCKET_NAME: 'files',
    PUBLIC_URL: 'https://forms.example.org',
    TOKEN_PUBLIC_KEYS,
    OPERATOR_EMAILS: 'o@example.org',
    CONNECT_TITLES: '{"PROVIDER_ONE":"Example ID"}',
  };
  expect(buildEnvironment(stage, ['table:read'], created)).toEqual(common);
  expect(buildEnvironment(stage, ['files:read', 'providers:call'], created)).toEqual({
    ...common,
    PROVIDER_ONE_PARAMETER: '/form-service/production/PROVIDER_ONE',
    SECRETS_VERSION: '1',
  });
});

test('only functions that start or finish a sign-in at a provider read the secrets of providers', () => {
  const readers = allFunctions.filter(({ needs }) => listSecrets(needs).some((secret) => /PROVIDER/.test(secret)));
  expect(readers.map(({ name }) => name).sort()).toEqual([
    'AuthFinishLogin',
    'AuthStartLogin',
    'ConnectionsFinishConnection',
    'ConnectionsStartConnection',
  ]);
});
