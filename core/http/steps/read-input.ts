/**
 * Validates path, query and body; all faults are reported together (400, 413, 415), but only after the resource of the
 * path has been opened and the role of the caller checked.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Caller } from '#core/access/access.ts';
import { type Declaration, PATH_PARAMETERS, parameterNames } from '#core/api/declare.ts';
import { type Fault, Problem, problems } from '#core/problems/problems.ts';
import { decodeCursor, identifyList } from '../cursors.ts';
import { isMultipart, readFiles, readJsonBody, readParams, readQuery, validatePart } from '../request.ts';
import type { Input, Step } from '../state.ts';

/** Reads the input before the resource is opened, so that a list can be read at the same time. */
export function readInput(declaration: Declaration): Step {
  const read = createInputReader(declaration);
  return {
    before: async ({ event, internal }) => {
      try {
        internal.input = await read(event, internal.user);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        internal.inputProblem = error;
      }
    },
  };
}

/** Reports the faults of the input, once it is known that the caller may send one. */
export const requireInput = (): Step => ({
  before: ({ internal }) => {
    if (internal.inputProblem) throw internal.inputProblem;
  },
});

function createInputReader(
  declaration: Declaration,
): (event: APIGatewayProxyEventV2, user: Caller | undefined) => Promise<Input> {
  const names = parameterNames(declaration.path);
  return async (event, user) => {
    const faults: Fault[] = [];
    const unwrap = <T>(checked: { value: T } | { faults: Fault[] }): T | undefined => {
      if ('value' in checked) return checked.value;
      faults.push(...checked.faults);
      return undefined;
    };
    const params = readParams(event, names);
    for (const name of names) {
      const checked = validatePart('path', PATH_PARAMETERS[name](), params[name]);
      if ('faults' in checked) faults.push(...checked.faults.map((fault) => ({ ...fault, pointer: `/path/${name}` })));
    }
    const querySchema = declaration.query?.();
    const query =
      querySchema && unwrap(validatePart('query', querySchema, readQuery(event, findListParameters(querySchema))));
    const parts = declaration.parts && isMultipart(event) ? await readFiles(event, declaration.parts) : undefined;
    const bodySchema = parts ? undefined : declaration.body?.();
    const json = bodySchema ? readJsonBody(event) : undefined;
    const isBodyOmitted = json === undefined && declaration.bodyOptional;
    const body = bodySchema && !isBodyOmitted ? unwrap(validatePart('body', bodySchema, json)) : undefined;
    if (faults.length > 0) throw problems.invalid(faults);
    const input = { params, query, body, parts, after: undefined };
    const cursor = findCursor(query);
    return cursor === undefined
      ? input
      : { ...input, after: decodeCursor(identifyList(declaration, { user, input }), cursor) };
  };
}

const findCursor = (query: unknown): string | undefined =>
  typeof query === 'object' && query !== null && 'cursor' in query && typeof query.cursor === 'string'
    ? query.cursor
    : undefined;

/** Finds the names of the query parameters that are lists. */
function findListParameters(query: { shape: Record<string, unknown> }): ReadonlySet<string> {
  return new Set(Object.keys(query.shape).filter((name) => isList(query.shape[name])));
}

function isList(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || !('def' in schema)) return false;
  const def = schema.def;
  if (typeof def !== 'object' || def === null || !('type' in def)) return false;
  return def.type === 'array' || ('innerType' in def && isList(def.innerType));
}
