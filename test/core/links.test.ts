/** Web addresses in plain text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAtLinks } from '#core/schema/links.ts';

test.for([
  ['See https://example.org/a?b=1&c=(d).', ['https://example.org/a?b=1&c=(d)']],
  ['(http://example.org), or https://example.org/x!', ['http://example.org', 'https://example.org/x']],
  ['請見 https://example.org/表單。謝謝', ['https://example.org/表單']],
  ['"https://example.org"<b>https://b.example</b>', ['https://example.org', 'https://b.example']],
  ['javascript:alert(1) ftp://example.org https:// mailto:a@b.c', []],
] as const)('%j', ([text, links]) => {
  expect(splitAtLinks(text).flatMap(({ href }) => href ?? [])).toEqual(links);
});

test('nothing of a text is lost', () => {
  const piece = fc.constantFrom('https://', 'http://a.b', ' ', '.', ')', '(', 'x', '。', '\n');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        splitAtLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
