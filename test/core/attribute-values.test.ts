/** Items as DynamoDB represents them. */
import { expect, test } from 'vitest';
import { attributeOf, attributesOf, itemOf } from '#core/aws/attribute-values.ts';

test('an item comes back as it was, without members that are undefined', () => {
  const key = { pk: 'FORM#1', sk: 'HEAD' };
  const item = { version: 3, ratio: -1.5, open: true, none: null, ids: new Set(['a', 'b']), data: '{"a":1}' };
  const nested = { list: ['a', 1, { deep: [] }], map: { a: { b: 'c' }, empty: {} } };
  const stored = attributesOf({ ...key, ...item, ...nested, left: undefined, inner: { left: undefined } });
  expect(itemOf(stored)).toEqual({ ...key, ...item, ...nested, inner: {} });
  expect(stored).not.toHaveProperty('left');
});

test('each kind of value has the type that DynamoDB gives it', () => {
  expect(attributeOf('')).toEqual({ S: '' });
  expect(attributeOf(0)).toEqual({ N: '0' });
  expect(attributeOf(false)).toEqual({ BOOL: false });
  expect(attributeOf(null)).toEqual({ NULL: true });
  expect(attributeOf(new Set(['a']))).toEqual({ SS: ['a'] });
});

test.for([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 0, new Date(0)])('refuses %s', (value) => {
  expect(() => attributeOf(value)).toThrow('DynamoDB has no attribute');
});

test('refuses attributes that the service does not write', () => {
  expect(() => itemOf({ pk: { S: 'a' }, bytes: { B: new Uint8Array(1) } })).toThrow('does not write: B');
});
