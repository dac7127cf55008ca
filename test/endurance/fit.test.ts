/** Pages that are cut to what one Lambda result can carry. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundWireBytes, countFitting, fitBatch, wireBytes } from '#core/schema/page-size.ts';

test.each([
  ['plain'],
  ['quotes " and \\ backslashes'],
  ['\u0001 control \n characters'],
  ['水 🐸'],
])('an item counts as many bytes as in a JSON string inside JSON: %j', (text) => {
  const item = { id: 'a', answers: { [text]: text } };
  const quotes = '""'.length;
  expect(wireBytes(item)).toBe(Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - quotes);
});

test('the bound of an item is never less than its bytes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\ud800', '"', '\\', '\u0000') }),
  );
  const { item } = fc.letrec((tie) => ({
    item: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        text,
        fc.double(),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constantFrom(null, -1.797_693_134_862_315_7e308),
      ),
      fc.array(tie('item')),
      fc.dictionary(text, tie('item')),
    ),
  }));
  fc.assert(fc.property(item, (value) => boundWireBytes(value) >= wireBytes(value)));
});

test('a page ends before the item that does not fit, and continues after the last that does', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, text: '"'.repeat(500_000) }));
  const positions = new Map(items.map(({ id }) => [id, `after ${id}`]));
  expect(fitBatch({ items, last: 'end', positions })).toEqual({ items: items.slice(0, 2), last: 'after b' });
  expect(fitBatch({ items: items.slice(0, 2), last: 'end', positions })).toMatchObject({ last: 'end' });
});

test('a page has at least one item', () => {
  expect(countFitting([{ text: 'x'.repeat(6_000_000) }, {}])).toBe(1);
});
