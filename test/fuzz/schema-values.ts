/**
 * Creates fast-check arbitraries from the JSON schemas of the OpenAPI document: valid values, with emphasis on the
 * limits. What a schema cannot express, such as which ids exist, is passed in as hints.
 */
import fc from 'fast-check';
import type { JsonSchema } from '#stacks/build/openapi/rich-text.ts';
import { textOf } from './texts.ts';

/** A better arbitrary for a member, by its name and the schema it belongs to. */
export type Hint = (member: string, component: string) => fc.Arbitrary<unknown> | undefined;

type Place = { member: string; component: string };
type Values = fc.Arbitrary<unknown>;

const REFERENCE = '#/components/schemas/';
/** The depth at which recursive schemas choose an alternative without recursion. */
const DEPTH = { depthIdentifier: 'json', depthSize: 'small', maxDepth: 6 } as const;
/** Arrays are mostly short and sometimes as long as allowed, up to this limit. */
const MAX_ITEMS = 120;

type Components = Readonly<Record<string, JsonSchema>>;
type Builder = { components: Components; hint: Hint; tie: (name: string) => Values };

/** Returns a function that creates the arbitrary of any schema of a document. */
export function schemaValues(components: Components, hint: Hint): (schema: JsonSchema) => Values {
  const tied = fc.letrec<Record<string, unknown>>((tie) =>
    Object.fromEntries(
      Object.entries(components).map(([component, schema]) => [
        component,
        build(schema, { member: '', component }, { components, hint, tie }),
      ]),
    ),
  );
  const builder = { components, hint, tie: (name: string) => tied[name] ?? fc.constant(null) };
  return (schema) => build(schema, { member: '', component: '' }, builder);
}

function build(schema: JsonSchema, place: Place, builder: Builder): Values {
  const { components, hint, tie } = builder;
  const hinted = hint(place.member, place.component);
  if (hinted) return hinted;
  const again = (other: JsonSchema, member = place.member): Values => build(other, { ...place, member }, builder);
  if (schema.$ref !== undefined) return tie(nameOf(schema.$ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (isSchemas(schema.allOf)) return again(resolved(components, schema));
  if (isSchemas(schema.anyOf)) return oneOf(branches(components, schema, schema.anyOf).map((each) => again(each)));
  if (Array.isArray(schema.type)) return oneOf(schema.type.map((type) => again({ ...schema, type })).toReversed());
  if (schema.type === 'object' || schema.properties) return objects(schema, again);
  if (schema.type === 'array') return arrays(schema, isSchema(schema.items) ? again(schema.items) : fc.jsonValue());
  return scalars(schema);
}

/** The alternatives of `anyOf`, each merged with the rest of the schema; null comes first. */
function branches(components: Components, schema: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema[] {
  const rest = without(schema, 'anyOf', 'description', 'title');
  const isBare = Object.keys(rest).length === 0;
  return alternatives
    .map((each) => (isBare ? each : merge(components, rest, each)))
    .toSorted((a, b) => Number(b.type === 'null') - Number(a.type === 'null'));
}

/** A schema for values that match both; if both have a keyword, the second one wins. */
function merge(components: Components, base: JsonSchema, more: JsonSchema): JsonSchema {
  const [a, b] = [resolved(components, base), resolved(components, more)];
  if (isSchemas(a.anyOf) && b.type !== undefined) {
    const [fitting] = a.anyOf.map((each) => resolved(components, each)).filter(({ type }) => !type || type === b.type);
    return merge(components, without(a, 'anyOf'), { ...fitting, ...b });
  }
  const properties = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties ?? {})) {
    const before = properties[name];
    properties[name] = before ? merge(components, before, schema) : schema;
  }
  const required = [...listOf(a.required), ...listOf(b.required)];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A schema without `$ref` and `allOf` at its top level. */
function resolved(components: Components, schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return resolved(components, components[nameOf(schema.$ref)] ?? {});
  if (!isSchemas(schema.allOf)) return schema;
  return schema.allOf.reduce((sum, each) => merge(components, sum, each), without(schema, 'allOf'));
}

const nameOf = (reference: string): string => reference.slice(REFERENCE.length);

/** The first alternative is used when a value gets too deep, and has less weight before. */
function oneOf(alternatives: Values[]): Values {
  const [first, ...others] = alternatives;
  if (!first || others.length === 0) return first ?? fc.constant(null);
  return fc.oneof(DEPTH, { arbitrary: first, weight: 1 }, ...others.map((arbitrary) => ({ arbitrary, weight: 2 })));
}

function objects(schema: JsonSchema, build: (schema: JsonSchema, member: string) => Values): Values {
  const members = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, build(each, name)] as const);
  const required = listOf(schema.required).filter((name) => members.some(([member]) => member === name));
  const known = fc.record(Object.fromEntries(members), { requiredKeys: required });
  if (!allowsMore(schema)) return known;
  const keys = fc.constantFrom('x', 'y', '', 'constructor', 'toString', 'a/b~c', '水', 'length', '\u0000');
  const free = fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  return fc.tuple(free, known).map(([more, own]) => ({ ...more, ...own }));
}

/** Whether a schema explicitly allows other members of any value. */
const allowsMore = ({ additionalProperties: more }: JsonSchema): boolean =>
  more === true || (isSchema(more) && Object.keys(more).length === 0);

function arrays(schema: JsonSchema, items: Values): Values {
  const minLength = numberOf(schema.minItems) ?? 0;
  const maxItems = Math.min(numberOf(schema.maxItems) ?? MAX_ITEMS, MAX_ITEMS);
  const short = { minLength, maxLength: Math.min(maxItems, minLength + 4), ...DEPTH };
  const ofLength = (bounds: { minLength: number; maxLength: number }): Values =>
    schema.uniqueItems === true
      ? fc.uniqueArray(items, { ...bounds, selector: (item) => JSON.stringify(item) })
      : fc.array(items, bounds);
  return fc.oneof(
    { arbitrary: ofLength(short), weight: 30 },
    { arbitrary: ofLength({ minLength: maxItems, maxLength: maxItems }), weight: 1 },
  );
}

function scalars(schema: JsonSchema): Values {
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return integers(schema);
  if (schema.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  return schema.type === 'string' ? textOf(schema) : fc.jsonValue({ maxDepth: 2 });
}

function integers(schema: JsonSchema): Values {
  const min = numberOf(schema.minimum) ?? 0;
  const max = Math.max(min, Math.min(numberOf(schema.maximum) ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 10) }), fc.constantFrom(min, max));
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchemas = (value: unknown): value is JsonSchema[] => Array.isArray(value) && value.every(isSchema);
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function without(schema: JsonSchema, ...keywords: string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
