/** Reads the OpenAPI document: operations with their schemas, and validation of values against a schema. */
import * as z from 'zod';
import { type Declaration, type Method, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import document from '#stacks/build/openapi/openapi.json' with { type: 'json' };
import type { JsonSchema } from '#stacks/build/openapi/rich-text.ts';

/** An operation of the document with its declaration. */
export type Documented = {
  /** `forms.createForm` */
  id: string;
  method: Method;
  /** Below `/api`. */
  path: string;
  declaration: Declaration;
  parameters: readonly string[];
  query: readonly { name: string; required: boolean; schema: JsonSchema }[];
  /** The names of its request headers. */
  headers: readonly string[];
  body?: JsonSchema;
  bodyRequired: boolean;
  /** All documented statuses. */
  statuses: readonly number[];
  /** The schema of a successful JSON response. */
  result?: JsonSchema;
};

const Schema = z.record(z.string(), z.unknown());
const Media = z.record(z.string(), z.object({ schema: Schema }));
const Parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: Schema });
const Reference = z.object({ $ref: z.string() });
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.union([Parameter, Reference])).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content: Media }).optional(),
  responses: z.record(z.string(), z.object({ content: Media.optional() })),
});

const byReference: Record<string, unknown> = document.components.parameters;

/** The schemas of the document by name. */
export const components: Readonly<Record<string, JsonSchema>> = z
  .record(z.string(), Schema)
  .parse(document.components.schemas);

/** Every declared operation as documented. Throws if the document lacks it. */
export const documented: readonly Documented[] = operations.map(documentedOf);

function documentedOf(declaration: Declaration): Documented {
  const id = `${declaration.noun}.${declaration.name}`;
  const paths: Record<string, Record<string, unknown>> = document.paths;
  const found = Operation.safeParse(paths[`/api${declaration.path}`]?.[declaration.method.toLowerCase()]);
  if (!found.success)
    throw new Error(`stacks/build/openapi/openapi.json does not describe ${id}: run \`npm run generate\``);
  const { parameters, requestBody, responses } = found.data;
  const all = parameters.map((each) => ('$ref' in each ? Parameter.parse(byReference[nameOf(each.$ref)]) : each));
  const body = requestBody?.content['application/json']?.schema;
  const result = responses[String(declaration.success.status)]?.content?.['application/json']?.schema;
  return {
    id,
    method: declaration.method,
    path: declaration.path,
    declaration,
    parameters: parameterNames(declaration.path),
    query: all.filter((each) => each.in === 'query'),
    headers: all.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    ...(body ? { body } : {}),
    bodyRequired: requestBody?.required ?? false,
    statuses: Object.keys(responses).map(Number),
    ...(result ? { result } : {}),
  };
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Calls `found` with every part of a value that has a named schema, from the outside in. */
export function eachComponent(schema: JsonSchema, value: unknown, found: (name: string, value: unknown) => void): void {
  if (value === null || value === undefined) return;
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    found(name, value);
    eachComponent(components[name] ?? {}, value, found);
    return;
  }
  const alternatives = z.array(Schema).safeParse(schema.anyOf).data ?? [];
  for (const alternative of alternatives) eachComponent(alternative, value, found);
  const items = Schema.safeParse(schema.items).data;
  if (Array.isArray(value) && items) for (const item of value) eachComponent(items, item, found);
  const members = Schema.safeParse(value).data;
  for (const [name, each] of Object.entries(schema.properties ?? {})) eachComponent(each, members?.[name], found);
}

const local = <T>(schema: T): T => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
/** `z.fromJSONSchema` does not support `not`, which no response schema uses. */
const definitions = Object.fromEntries(
  Object.entries(local(components)).map(([name, { not: _, ...schema }]) => [name, schema]),
);
const checkers = new Map<string, z.ZodType>();

/** How a value differs from a schema of the document; null if it is valid. */
export function mismatch(schema: JsonSchema, value: unknown): string | null {
  const key = JSON.stringify(schema);
  const checker = checkers.get(key) ?? z.fromJSONSchema({ ...local(schema), $defs: definitions });
  checkers.set(key, checker);
  const result = checker.safeParse(value);
  return result.success ? null : z.prettifyError(result.error);
}
