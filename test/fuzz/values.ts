/** Changes JSON values: in one place, into others of the same kind, or into very many. */
import fc from 'fast-check';
import { documents } from '#test/support/rich-text.ts';
import { ENUMERATED, limitsOf, missingMembers } from './document.ts';
import { type Draw, pick, weigh } from './draw.ts';
import { HOSTILE_TEXTS, PATTERNS, REDIRECTS, TIMESTAMPS, WORDS } from './texts.ts';

/** A number that JSON can express and JavaScript cannot, such as `1e999` and `-0`. */
const literal = (digits: string): string => `@@${digits}@@`;

/** The JSON text of a value with its literal numbers. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/"@@(-?[\d.eE+-]+)@@"/g, (_, digits: string) => digits);

const nested = (depth: number): unknown =>
  depth === 0 ? 1 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) };

const VALUES: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 0.5, 2 ** 31, 2 ** 53, 1e308, [], [null], [[]], {}],
  ...['-0', '1e999', '-1e999', '123456789012345678901234567890', '0.1e-400'].map(literal),
  ...[20, 127, 140].map(nested),
];

/** Values that are expensive to process. */
const FLOODS: readonly unknown[] = [
  Array.from({ length: 50_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member ${index}`, index])),
  ...['x'.repeat(1_000_000), ' '.repeat(500_000), `${'a'.repeat(300_000)}@`, 'http://'.repeat(50_000)],
];

/** Members that could mean something to JavaScript or to the service. */
const MEMBERS: readonly [string, unknown][] = [
  ['__proto__', { isAdmin: true }],
  ['constructor', { prototype: { isAdmin: true } }],
  ['id', '00000000-0000-4000-8000-000000000000'],
  ...['toString', 'hasOwnProperty', 'then', 'length', 'version', '', '\u0000'].map((name): [string, number] => [
    name,
    -1,
  ]),
];

const REMOVED = Symbol('removed');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const partsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const EDITS: readonly ((value: unknown) => unknown)[] = [
  () => REMOVED,
  () => REMOVED,
  (value) => [value],
  (value) => ({ value }),
  (value) => (Array.isArray(value) ? [...value, ...value].toReversed() : JSON.stringify(value)),
  (value) => (typeof value === 'string' ? value.toUpperCase() : REMOVED),
  (value) => (typeof value === 'string' ? ` ${value}\n` : value),
  (value) => (typeof value === 'string' ? value.slice(0, -1) : value),
  (value) => (typeof value === 'number' ? value + 0.5 : value),
];

const NAME = /^[A-Z][A-Z_0-9]*$/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** Another value of the same kind, often just at a limit of the document or beyond it. */
function similar(value: unknown, name: string, draw: Draw): unknown {
  if (name === 'pattern') return pick(draw, PATTERNS);
  if (isObject(value)) return value.type === 'doc' ? draw(documents) : value;
  const limit = pick(draw, [1, 200, ...limitsOf(name)]) + draw(fc.integer({ min: -1, max: 1 }));
  const length = Math.min(Math.max(limit, 0), 12_000);
  if (Array.isArray(value)) return Array(Math.min(pick(draw, [0, 0, 1, length]), 2_001)).fill(value[0]);
  if (typeof value === 'number') return pick(draw, [limit, limit, -limit, 0, 1, Number.MAX_SAFE_INTEGER]);
  if (typeof value === 'boolean') return !value;
  const text = `${value ?? ''}`;
  if (NAME.test(text)) return pick(draw, ENUMERATED);
  if (/^https?:/.test(text)) return pick(draw, REDIRECTS);
  return pick(draw, [
    pick(draw, WORDS),
    pick(draw, value === null ? TIMESTAMPS : WORDS),
    pick(draw, ['x', '😀']).repeat(length),
  ]);
}

type Place = { name: string; all: readonly unknown[]; draw: Draw };
type Change = (value: unknown, place: Place) => unknown;

const CHANGES: readonly (readonly [weight: number, change: Change])[] = [
  [6, (value, { draw }) => pick(draw, EDITS)(value)],
  [3, (_, { draw }) => pick(draw, VALUES)],
  [4, (_, { draw }) => pick(draw, [...HOSTILE_TEXTS, ...TIMESTAMPS])],
  [8, (value, { name, draw }) => similar(value, name, draw)],
  [4, takeOther],
  [3, (value, { draw }) => withMember(value, pick(draw, MEMBERS))],
  [3, addMissing],
  [1, (_, { draw }) => draw(fc.jsonValue({ maxDepth: 3 }))],
  [1, (_, { draw }) => pick(draw, FLOODS)],
];

/** An id of another node or question, for instance, so that links form circles and items are named twice. */
function takeOther(value: unknown, { all, draw }: Place): unknown {
  const others = all.filter((other) => typeof other === typeof value);
  return pick(draw, others);
}

const withMember = (value: unknown, member: [string, unknown]): unknown =>
  Object.fromEntries([...(isObject(value) ? Object.entries(value) : []), member]);

function addMissing(value: unknown, { draw }: Place): unknown {
  const name = pick(draw, ['x', ...(isObject(value) ? missingMembers(Object.keys(value)) : [])]);
  return withMember(value, [name, similar(pick(draw, ['TYPE', 'text', 1, null, true, []]), name, draw)]);
}

/** Changes a value in one place. */
export function changeOne(value: unknown, draw: Draw): unknown {
  const places = placesIn(value, []);
  const { path } = pick(draw, places);
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const all = places.map((place) => place.value);
  const changed = changeAt(value, path, (part) => weigh(draw, CHANGES)(part, { name, all, draw }));
  return changed === REMOVED ? null : changed;
}

const placesIn = (value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] => [
  { path, value },
  ...partsOf(value).flatMap(([name, part]) => placesIn(part, [...path, name])),
];

function changeAt(value: unknown, [first, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  return mapParts(value, (part, name) => (name === first ? changeAt(part, rest, change) : part));
}

function mapParts(value: unknown, map: (part: unknown, name: string) => unknown): unknown {
  const parts = partsOf(value).map(([name, part]): [string, unknown] => [name, map(part, name)]);
  const kept = parts.filter(([, part]) => part !== REMOVED);
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept);
}

/** Replaces a third of the texts, numbers and lists by others that mostly fit; ids and names of types stay. */
export function vary(value: unknown, draw: Draw, name = ''): unknown {
  const isChanged = draw(fc.nat({ max: 2 })) === 0;
  const isWhole = typeof value !== 'object' || value === null || (isObject(value) && value.type === 'doc');
  if (!isWhole && !(isChanged && Array.isArray(value) && value.length > 0 && name !== ''))
    return mapParts(value, (part, member) => vary(part, draw, Array.isArray(value) ? name : member));
  const stays = typeof value === 'string' && (NAME.test(value) || ID.test(value));
  return isChanged && !stays ? similar(value, name, draw) : value;
}

const FILLINGS: readonly unknown[] = [{}, 'x', 1, null, [[]], { name: 'x' }];

/** Fills the arrays of a value with very many items, or arrays in arrays so that their lengths multiply. */
export function flood(value: unknown, draw: Draw): unknown {
  const item = pick(draw, FILLINGS);
  const length = pick(draw, [301, 999, 2_001, 60_000, 400_000, 400_000]);
  const fill = (part: unknown): unknown => {
    if (isObject(part)) return mapParts(part, fill);
    if (!Array.isArray(part)) return part;
    const holdsArray = partsOf(part[0]).some(([, inner]) => Array.isArray(inner));
    return length < 1_000 && holdsArray ? Array(299).fill(fill(part[0])) : Array(length).fill(item);
  };
  return fill(value);
}
