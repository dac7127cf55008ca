/** Reading a profile from a provider's claims, which may have any shape. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProfile } from '#core/identity/profile.ts';
import { ProviderSettings } from '#core/identity/provider-settings.ts';

const { profile: mapping } = ProviderSettings().parse({ issuer: 'https://id.example.org', clientId: 'x' });
const read = (claims: object) => parseProfile(mapping, { sub: 'x', ...claims });
const emailOf = (email: unknown): unknown => read({ email })?.email;
const subjectOf = (sub: unknown): unknown => parseProfile(mapping, { sub })?.subject;

test('a profile by the names of OpenID Connect', () => {
  const claims = {
    sub: 'abc',
    preferred_username: 'alice',
    email: 'alice@example.org',
    email_verified: true,
    picture: 'https://example.org/a.png',
  };
  expect(parseProfile(mapping, claims)).toEqual({
    subject: 'abc',
    username: 'alice',
    email: 'alice@example.org',
    emailVerified: true,
    avatarUrl: 'https://example.org/a.png',
  });
});

describe('a mapping', () => {
  const at = (parts: Partial<typeof mapping>, claims: unknown) => parseProfile({ ...mapping, ...parts }, claims);

  test('reaches into objects and lists', () => {
    const claims = { user: { id: 7, names: [{ value: 'Alice' }] } };
    expect(at({ subject: 'user.id', username: 'user.names.0.value' }, claims)).toMatchObject({
      subject: '7',
      username: 'Alice',
    });
  });

  test('takes a name with dots as it is', () => {
    expect(
      at({ subject: 'https://id.example.org/claims/id' }, { 'https://id.example.org/claims/id': 'a' }),
    ).toMatchObject({
      subject: 'a',
    });
  });

  test('that names nothing reads nothing: no address is ever verified', () => {
    const claims = { sub: 'x', email: 'a@example.org', email_verified: true, '': true };
    expect(at({ emailVerified: 'none' }, claims)).toMatchObject({ email: 'a@example.org', emailVerified: false });
  });

  test.for([
    '__proto__',
    'constructor.name',
    'toString',
    'sub.length',
    'a.b.c',
    'list.__proto__.length',
  ])('reads no %s', (path) => {
    expect(at({ username: path }, { sub: 'x', list: [] })).toMatchObject({ username: '' });
  });
});

describe('a subject', () => {
  test.for([
    ['a', 'a'],
    [0, '0'],
    [9_007_199_254_740_991, '9007199254740991'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [' ', ' '],
    ['person#1', 'person#1'],
  ])('%j is %j', ([sub, subject]) => expect(subjectOf(sub)).toBe(subject));

  test.for([
    [''],
    ['x'.repeat(256)],
    [undefined],
    [null],
    [true],
    [{}],
    [['a']],
    [1.5],
    [2 ** 53],
    ['\ud800'],
  ])('%j is none', ([sub]) => expect(subjectOf(sub)).toBeUndefined());
});

describe('an e-mail address', () => {
  test.for([
    ['a@example.org', 'a@example.org'],
    ['A.B+c@Example.ORG', 'A.B+c@Example.ORG'],
    ['a', ''],
    ['a@b', ''],
    ['a@example.org\n', ''],
    ['Alice <a@example.org>', ''],
    // The Kelvin sign is a k once case is dropped.
    ['\u212aate@example.org', ''],
    [`${'a'.repeat(250)}@example.org`, ''],
    [7, ''],
    [null, ''],
    [['a@example.org'], ''],
  ])('%j is %j', ([email, kept]) => expect(emailOf(email)).toBe(kept));

  test.for([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['TRUE', false],
    [1, false],
    ['yes', false],
    [undefined, false],
    [{}, false],
  ])('with email_verified %j is verified: %j', ([claim, verified]) => {
    expect(read({ email: 'a@example.org', email_verified: claim })?.emailVerified).toBe(verified);
  });

  test('that is none is not verified', () =>
    expect(read({ email: 'a', email_verified: true })?.emailVerified).toBe(false));
});

describe('a username', () => {
  test.for([
    ['alice', 'alice'],
    [7, '7'],
    [' a \n b\u0000\t', 'a b'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['🍜'.repeat(300), '🍜'.repeat(200)],
    ['a\ud800b', 'a\ufffdb'],
    ['=1+1', '=1+1'],
    [null, ''],
    [{}, ''],
  ])('%j is %j', ([name, username]) => expect(read({ preferred_username: name })?.username).toBe(username));
});

describe('a picture', () => {
  test.for([
    ['https://example.org/a.png', 'https://example.org/a.png'],
    ['http://example.org/ä', 'http://example.org/%C3%A4'],
    ['javascript:alert(1)', ''],
    ['data:image/png;base64,AAAA', ''],
    ['//example.org/a.png', ''],
    ['https:\\\\example.org', ''],
    ['https://example.org/\n', ''],
    [`https://example.org/${'a'.repeat(2_048)}`, ''],
    [null, ''],
  ])('%j is %j', ([picture, avatarUrl]) => expect(read({ picture })?.avatarUrl).toBe(avatarUrl));
});

test('claims of any shape are read without a fault, into texts that can be stored', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom('sub', 'a', '0.a', '__proto__.a'), (claims, subject) => {
      const profile = parseProfile({ ...mapping, subject }, claims);
      for (const value of Object.values(profile ?? {})) expect(String(value).isWellFormed()).toBe(true);
    }),
  );
});
