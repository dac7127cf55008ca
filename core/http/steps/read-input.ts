/** Validates path, query and body; all faults are reported together (400, 413, 415). */
import { type Declaration, PATH_PARAMETERS, parameterNames } from '#core/api/declare.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { decodeCursor } from '../cursors.ts';
import { listOf } from '../list.ts';
import { check, filesOf, isMultipart, jsonBody, queryOf } from '../request.ts';
import type { Step } from '../state.ts';

/** The step. */
export function readInput(declaration: Declaration): Step {
  const names = parameterNames(declaration.path);
  return {
    before: async ({ event, internal }) => {
      const faults: Fault[] = [];
      const valid = <T>(checked: { value: T } | { faults: Fault[] }): T | undefined => {
        if ('value' in checked) return checked.value;
        faults.push(...checked.faults);
        return undefined;
      };
      for (const name of names) {
        const checked = check('path', PATH_PARAMETERS[name](), internal.params[name]);
        if ('faults' in checked)
          faults.push(...checked.faults.map((fault) => ({ ...fault, pointer: `/path/${name}` })));
      }
      const querySchema = declaration.query?.();
      const query = querySchema && valid(check('query', querySchema, queryOf(event, listNames(querySchema))));
      const parts = declaration.parts && isMultipart(event) ? await filesOf(event, declaration.parts) : undefined;
      const bodySchema = parts ? undefined : declaration.body?.();
      const json = bodySchema ? jsonBody(event) : undefined;
      const isLeftOut = json === undefined && declaration.bodyOptional;
      const body = bodySchema && !isLeftOut ? valid(check('body', bodySchema, json)) : undefined;
      if (faults.length > 0) throw problems.invalid(faults);
      internal.input = { params: internal.params, query, body, parts, after: undefined };
      const cursor = cursorIn(query);
      if (cursor !== undefined) internal.input.after = decodeCursor(listOf(declaration, internal), cursor);
    },
  };
}

const cursorIn = (query: unknown): string | undefined =>
  typeof query === 'object' && query !== null && 'cursor' in query && typeof query.cursor === 'string'
    ? query.cursor
    : undefined;

/** The names of the query parameters that are lists. */
function listNames(query: { shape: Record<string, unknown> }): ReadonlySet<string> {
  return new Set(Object.keys(query.shape).filter((name) => isList(query.shape[name])));
}

function isList(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || !('def' in schema)) return false;
  const def = schema.def;
  if (typeof def !== 'object' || def === null || !('type' in def)) return false;
  return def.type === 'array' || ('innerType' in def && isList(def.innerType));
}
