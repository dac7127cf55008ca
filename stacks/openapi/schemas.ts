/**
 * Turns the zod schemas of the declarations into the `components/schemas` of the OpenAPI document. A schema that has
 * an id becomes a component of that name, everything else stands where it is used.
 *
 * A schema is sent in requests and shown in answers, and the two can differ: answers are exact, while bodies may have
 * members that are ignored and values that are defaulted. Where they do, the sent one is called `<Id>Sent`.
 */
import * as z from 'zod';
import { richTextSchemas } from './rich-text.ts';
import { RULES } from './rules.ts';

/** A JSON schema of draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown; $ref?: string; properties?: Record<string, JsonSchema> };

/** The schemas of a document: how to say one where it is used, and all that have names. */
export type SchemaBook = {
  sent(schema: z.ZodType): JsonSchema;
  shown(schema: z.ZodType): JsonSchema;
  components: Record<string, JsonSchema>;
};

type Direction = 'sent' | 'shown';
type Converted = { root: JsonSchema; named: Record<string, JsonSchema> };

const LOCAL = '#/$defs/';

/** Converts the schemas that are sent and those that are shown; throws for one that JSON schema cannot say. */
export function schemaBook(sent: readonly z.ZodType[], shown: readonly z.ZodType[]): SchemaBook {
  const books = { sent: namedIn(sent, 'sent'), shown: namedIn(shown, 'shown') };
  const different = differing(books.sent, books.shown);
  const renamed: Record<Direction, (name: string) => string> = {
    sent: (name) => (different.has(name) ? `${name}Sent` : name),
    shown: (name) => name,
  };
  const place = (direction: Direction, schema: JsonSchema): JsonSchema =>
    tidy(schema, { direction, moved: (name) => `#/components/schemas/${renamed[direction](name)}` });
  const components = (['shown', 'sent'] as const).flatMap((direction) =>
    Object.entries(books[direction]).map(([name, schema]): [string, JsonSchema] => [
      renamed[direction](name),
      place(direction, schema),
    ]),
  );
  return {
    sent: (schema) => place('sent', convert(schema, 'sent').root),
    shown: (schema) => place('shown', convert(schema, 'shown').root),
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function convert(schema: z.ZodType, direction: Direction): Converted {
  const json: unknown = z.toJSONSchema(schema, {
    io: direction === 'sent' ? 'input' : 'output',
    target: 'draft-2020-12',
    unrepresentable: 'throw',
  });
  if (!isSchema(json)) throw new Error('z.toJSONSchema answered no schema');
  const { $schema: _dialect, $defs = {}, ...root } = json;
  const named = isSchemas($defs) ? $defs : {};
  for (const name of Object.keys(named)) {
    if (name.startsWith('__')) throw new Error('a recursive schema needs a name: give it .meta({ id })');
  }
  return { root, named };
}

/** All named schemas below some schemas, each with the rules that its conversion cannot see. */
function namedIn(schemas: readonly z.ZodType[], direction: Direction): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  for (const schema of schemas) Object.assign(found, convert(schema, direction).named);
  for (const [name, converted] of Object.entries(found)) found[name] = RULES[name]?.(converted) ?? converted;
  return 'RichText' in found ? { ...found, ...richTextSchemas() } : found;
}

/** The names that mean one thing when sent and another when shown, in themselves or through what they refer to. */
function differing(sent: Record<string, JsonSchema>, shown: Record<string, JsonSchema>): ReadonlySet<string> {
  const both = Object.keys(sent).filter((name) => name in shown);
  const different = new Set(both.filter((name) => JSON.stringify(sent[name]) !== JSON.stringify(shown[name])));
  const refersToDifferent = (name: string): boolean =>
    [...JSON.stringify(sent[name]).matchAll(/"#\/\$defs\/(\w+)"/g)].some(([, other = '']) => different.has(other));
  let before = -1;
  while (before !== different.size) {
    before = different.size;
    for (const name of both) if (refersToDifferent(name)) different.add(name);
  }
  return different;
}

type Placing = { direction: Direction; moved: (name: string) => string };

/** A schema with its references moved to where the document keeps them, without keywords that say nothing. */
function tidy(schema: JsonSchema, placing: Placing): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === '$ref' && typeof value === 'string') return [[keyword, placing.moved(value.slice(LOCAL.length))]];
    if (saysNothing(keyword, value, placing.direction)) return [];
    if (keyword === 'additionalProperties' && JSON.stringify(value) === '{}') return [[keyword, true]];
    return [[keyword, tidyValue(value, placing)]];
  });
  return Object.fromEntries(entries);
}

function tidyValue(value: unknown, placing: Placing): unknown {
  if (Array.isArray(value)) return value.map((item) => tidyValue(item, placing));
  return isSchema(value) ? tidy(value, placing) : value;
}

/** Every JSON key is a text, no text is shorter than nothing, and answers hold no number that JSON cannot say. */
const saysNothing = (keyword: string, value: unknown, direction: Direction): boolean =>
  (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
  (keyword === 'minLength' && value === 0) ||
  (direction === 'shown' && keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (direction === 'shown' && keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSchemas = (value: unknown): value is Record<string, JsonSchema> =>
  isSchema(value) && Object.values(value).every(isSchema);
