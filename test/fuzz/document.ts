/** Reads the OpenAPI document: its limits and members, and how a response differs from what it says. */
import * as z from 'zod';
import type { Declaration } from '#core/api/declare.ts';
import document from '#stacks/build/openapi/openapi.json' with { type: 'json' };

const Schema = z.record(z.string(), z.unknown());
const Response = z.object({ content: z.record(z.string(), z.object({ schema: Schema })).optional() });
const Paths = z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), Response) })));

const paths = Paths.parse(document.paths);
const components = z.record(z.string(), Schema).parse(document.components.schemas);

/** The values of all members that have one of a few. */
export const ENUMERATED: readonly string[] = [
  ...new Set(JSON.stringify(document).match(/(?<=")[A-Z][A-Z_0-9]+(?="[,\]])/g)),
];

const limits = new Map<string, number[]>();

function collectLimits(schema: object, name: string): void {
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value === 'number' && /^m(ax|in)/.test(key)) limits.set(name, [...(limits.get(name) ?? []), value]);
    if (typeof value === 'object' && value !== null)
      collectLimits(value, /^(anyOf|allOf|items|\d+)$/.test(key) ? name : key);
  }
}
collectLimits(document.components, '');

/** The limits of members of a name, wherever they are in the document. */
export const limitsOf = (name: string): readonly number[] => limits.get(name) ?? [];

/** The members that an object with these members may have too. */
export function missingMembers(members: readonly string[]): string[] {
  const names = Object.values(components)
    .map(({ properties }) => Object.keys(properties ?? {}))
    .filter((each) => members.every((member) => each.includes(member)));
  return [...new Set(names.flat())].filter((name) => !members.includes(name));
}

const local = <T>(schema: T): T => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
/** `z.fromJSONSchema` does not support `not`, which no response schema uses. */
const $defs = Object.fromEntries(
  Object.entries(local(components)).map(([name, { not: _, ...schema }]) => [name, schema]),
);
const checkers = new Map<string, z.ZodType>();

/** How a status, and a JSON body if there is one, differ from the document; null if they are documented so. */
export function undocumented({ method, path }: Declaration, status: number, json?: unknown): string | null {
  const response = paths[`/api${path}`]?.[method.toLowerCase()]?.responses[status];
  if (!response) return `has the undocumented status ${status}`;
  const schema = response.content?.['application/json']?.schema;
  if (!schema || json === undefined) return null;
  const key = `${method} ${path} ${status}`;
  const checker = checkers.get(key) ?? z.fromJSONSchema({ ...local(schema), $defs });
  checkers.set(key, checker);
  const result = checker.safeParse(json);
  return result.success ? null : `differs from the document: ${z.prettifyError(result.error)}`;
}
