/** The values that all nouns share: pages, links and hashes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '#core/schema/hash.ts';
import { ArrayListQuery, countCharacters, ListQuery } from '#core/schema/schema.ts';
import { isWebUrl } from '#core/schema/text.ts';

describe.for([
  ['a page', ListQuery, 100],
  ['a page of a bare array', ArrayListQuery, 1_000],
] as const)('%s', ([, query, max]) => {
  test(`has ${max} items, unless fewer are requested`, () => {
    expect(query().parse({})).toEqual({ limit: max });
    expect(query().parse({ limit: '1', cursor: 'x' })).toEqual({ limit: 1, cursor: 'x' });
    expect(query().parse({ limit: String(max) })).toEqual({ limit: max });
  });

  test.for([
    { limit: String(max + 1) },
    { limit: '0' },
    { limit: '1.5' },
    { limit: 'all' },
    { cursor: '' },
  ])('refuses %j', (value) => {
    expect(query().safeParse(value).success).toBe(false);
  });
});

test.for<[string, boolean]>([
  ['https://example.org/a?b=c#d', true],
  ['HTTP://localhost:3000', true],
  ['https://例え.テスト/水', true],
  ['https://[::1]/', true],
  ['', false],
  ['example.org', false],
  ['/path', false],
  ['//example.org', false],
  ['https:/example.org', false],
  ['https://', false],
  ['https://a:99999/', false],
  ['ftp://example.org', false],
  ['javascript:alert(1)//https://a', false],
  ['java\nscript:alert(1)', false],
  [' https://example.org', false],
  ['https://example.org/a b', false],
  ['https://example.org/\u0000', false],
  ['https://example.org/\u2028', false],
  ['https:\\\\example.org', false],
  ['https://example.org\\@evil.org', false],
])('whether %j is a web URL: %s', ([text, expected]) => {
  expect(isWebUrl(text)).toBe(expected);
});

test('the characters of a text are its code points, and half of one counts as one', () => {
  const units = fc.array(fc.oneof(fc.constantFrom(0x61, 0x6c34, 0xd83d, 0xde00, 0xdbff, 0xdfff), fc.nat(0xffff)));
  fc.assert(
    fc.property(units, (codes) => {
      const value = String.fromCharCode(...codes);
      expect(countCharacters(value)).toBe([...value].length);
    }),
  );
});

test('a hash of text is the hash of its UTF-8 bytes', () => {
  expect(sha256('abc', 'hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('水', 'base64')).toBe(sha256(new Uint8Array([0xe6, 0xb0, 0xb4]), 'base64'));
});
