/** Mutates a JSON value in one place: missing, additional or wrong members, extreme numbers and texts. */
import fc from 'fast-check';
import { HOSTILE_TEXTS, PATTERNS } from './texts.ts';

/** A number that JSON can express and JavaScript cannot, such as `1e999` and `-0`. */
const literal = (digits: string): string => `@@${digits}@@`;

/** The JSON text of a value with its literal numbers. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/"@@(-?[\d.eE+-]+)@@"/g, (_, digits: string) => digits);

/** Changes the value in the chosen place; `REMOVED` deletes it. */
type Change = (value: unknown) => unknown;
const REMOVED = Symbol('removed');

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  literal('-0'),
  literal('1e999'),
  literal('-1e999'),
  literal('123456789012345678901234567890'),
  literal('0.1e-400'),
  [],
  [null],
  [[]],
  {},
  nested(20),
  nested(127),
  nested(140),
];

/** Items and lengths of arrays that are too long. */
const FILLINGS: readonly unknown[] = [{}, 'x', 1, null, [[]], { name: 'x' }];
const LENGTHS = [301, 2_001, 60_000, 400_000, 400_000] as const;
/** Lengths that nested arrays are often allowed to have. */
const [MANY, MANY_INSIDE] = [299, 999] as const;

/** Values that are expensive to process. */
const FLOODS: readonly unknown[] = [
  Array.from({ length: 50_000 }, () => 'x'),
  Array.from({ length: 50_000 }, () => ({})),
  Array.from({ length: 50_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member ${index}`, index])),
  'x'.repeat(1_000_000),
  ' '.repeat(500_000),
  `${'a'.repeat(300_000)}@`,
  'http://'.repeat(50_000),
];

const withMember =
  (name: string, member: unknown): Change =>
  (value) =>
    isObject(value) ? Object.fromEntries([...Object.entries(value), [name, member]]) : { [name]: member };

const CHANGES: readonly Change[] = [
  () => REMOVED,
  () => REMOVED,
  (value) => [value],
  (value) => ({ value }),
  (value) => (Array.isArray(value) ? [...value, ...value] : `${JSON.stringify(value)}`),
  (value) => (Array.isArray(value) ? value.toReversed() : value),
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  (value) => (typeof value === 'string' ? ` ${value}\n` : value),
  (value) => (typeof value === 'string' ? value.slice(0, -1) : value),
  (value) => (typeof value === 'number' ? -value : value),
  (value) => (typeof value === 'number' ? value + 0.5 : value),
  (value) => (typeof value === 'number' ? value + 1_000 : value),
  withMember('__proto__', { isAdmin: true }),
  withMember('constructor', { prototype: { isAdmin: true } }),
  withMember('toString', 1),
  withMember('hasOwnProperty', null),
  withMember('then', 'x'),
  withMember('length', -1),
  withMember('', ''),
  withMember('id', '00000000-0000-4000-8000-000000000000'),
  withMember('version', 1),
  withMember('\u0000', '\u0000'),
];

const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: fc.constantFrom(...CHANGES), weight: 8 },
  { arbitrary: fc.constantFrom(...VALUES).map((value) => () => value), weight: 6 },
  { arbitrary: fc.constantFrom(...HOSTILE_TEXTS, ...PATTERNS).map((value) => () => value), weight: 6 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => () => value), weight: 2 },
  { arbitrary: fc.constantFrom(...FLOODS).map((value) => () => value), weight: 1 },
);

/** Mutates a value in one random place. */
export const mutatedValue: fc.Arbitrary<Change> = fc
  .record({ where: fc.noBias(fc.nat({ max: 100_000 })), change })
  .map(({ where, change: apply }) => (value: unknown) => {
    const count = placesIn(value);
    const result = changedAt(value, where % count, apply);
    return result === REMOVED ? null : result;
  });

/** Fills the arrays of a value with many equal items, or nested arrays so that their lengths multiply. */
export const floodedValue: fc.Arbitrary<Change> = fc
  .record({ item: fc.constantFrom(...FILLINGS), length: fc.constantFrom(...LENGTHS), multiplies: fc.boolean() })
  .map(({ item, length, multiplies }) => {
    const flood = (value: unknown, multiply: boolean): unknown => {
      const isOuter = Array.isArray(value) && multiply && holdsArray(value[0]);
      if (isOuter) return Array(MANY).fill(flood(value[0], false));
      if (Array.isArray(value)) return Array(multiplies ? MANY_INSIDE : length).fill(item);
      return isObject(value)
        ? Object.fromEntries(partsOf(value).map(([name, part]) => [name, flood(part, multiply)]))
        : value;
    };
    return (value) => flood(value, multiplies);
  });

const holdsArray = (value: unknown): boolean => partsOf(value).some(([, part]) => Array.isArray(part));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** The number of values in a value, including itself. */
const placesIn = (value: unknown): number => partsOf(value).reduce((sum, [, part]) => sum + placesIn(part), 1);

/** A copy with one place changed, counted from the outside in. */
function changedAt(value: unknown, place: number, apply: Change): unknown {
  if (place === 0) return apply(value);
  let behind = place - 1;
  const parts = partsOf(value).flatMap(([name, part]): [string, unknown][] => {
    const count = placesIn(part);
    const isHere = behind >= 0 && behind < count;
    const next = isHere ? changedAt(part, behind, apply) : part;
    behind -= count;
    return next === REMOVED ? [] : [[name, next]];
  });
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
