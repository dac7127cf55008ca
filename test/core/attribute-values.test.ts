/** Items as DynamoDB represents them. */
import { expect, test } from 'vitest';
import { parseItem, toAttribute, toAttributes } from '#core/aws/attribute-values.ts';

test('an item comes back as it was, without members that are undefined', () => {
  const key = { pk: 'FORM#1', sk: 'HEAD' };
  const item = { version: 3, ratio: -1.5, open: true, none: null, ids: new Set(['a', 'b']), data: '{"a":1}' };
  const nested = { list: ['a', 1, { deep: [] }], map: { a: { b: 'c' }, empty: {} } };
  const stored = toAttributes({ ...key, ...item, ...nested, left: undefined, inner: { left: undefined } });
  expect(parseItem(stored)).toEqual({ ...key, ...item, ...nested, inner: {} });
  expect(stored).not.toHaveProperty('left');
});

test('each kind of value has the type that DynamoDB gives it', () => {
  expect(toAttribute('')).toEqual({ S: '' });
  expect(toAttribute(0)).toEqual({ N: '0' });
  expect(toAttribute(false)).toEqual({ BOOL: false });
  expect(toAttribute(null)).toEqual({ NULL: true });
  expect(toAttribute(new Set(['a']))).toEqual({ SS: ['a'] });
});

test.for([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 0, new Date(0)])('refuses %s', (value) => {
  expect(() => toAttribute(value)).toThrow('DynamoDB has no attribute');
});

test('refuses attributes that the service does not write', () => {
  expect(() => parseItem({ pk: { S: 'a' }, bytes: { B: new Uint8Array(1) } })).toThrow('does not write: B');
});
