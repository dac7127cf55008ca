/** Web addresses as people type them. */
import { expect, test } from 'vitest';
import { completeWebAddress } from '#core/pages/fields/web-address.ts';

test.for([
  [' example.org ', 'https://example.org'],
  ['www.example.org/a?b#c', 'https://www.example.org/a?b#c'],
  ['example.org:8080/path', 'https://example.org:8080/path'],
  ['例子.台灣', 'https://例子.台灣'],
  ['http://example.org', 'http://example.org'],
  ['ftp://example.org', 'ftp://example.org'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['dave@example.org', 'dave@example.org'],
  ['frogs', 'frogs'],
  ['two words.org', 'two words.org'],
  ['', ''],
])('%s becomes %s', ([typed, completed]) => {
  expect(completeWebAddress(typed ?? '')).toBe(completed);
});
