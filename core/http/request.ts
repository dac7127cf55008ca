/** Reads an API Gateway event: headers, cookies, query and JSON body, with a precise fault for all that is wrong. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { type Fault, type Problem, problems } from './problems.ts';

/** The most bytes of a request body: Lambda's 6 MB, less what base64 adds (contract section 1). */
export const MAX_BODY_BYTES = 4_500_000;
/** The deepest nesting of a JSON body. */
const MAX_JSON_DEPTH = 128;

/** A header's value, by its lower-case name. */
export const header = (event: APIGatewayProxyEventV2, name: string): string | undefined => event.headers[name];

/** A cookie's value. */
export function cookie(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const found = event.cookies?.find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** The query as schemas read it: a list where the schema wants a list, else a text; a repeated name stays a list. */
export function queryOf(event: APIGatewayProxyEventV2, lists: ReadonlySet<string>): Record<string, string | string[]> {
  const parameters = new URLSearchParams(event.rawQueryString);
  const query: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = lists.has(name) || values.length > 1 ? values : (values[0] ?? '');
  }
  return query;
}

/**
 * The JSON body, or undefined when there is none. Read as JSON whatever the content type says, unless it is
 * multipart. Throws 413, 415, and 400 for what is not JSON, nested too deeply, or holds a key `__proto__`.
 */
export function jsonBody(event: APIGatewayProxyEventV2): unknown {
  if (/^multipart\//i.test(header(event, 'content-type') ?? '')) {
    throw problems.unsupportedMediaType('This operation takes JSON, not multipart');
  }
  const raw = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (raw.length > MAX_BODY_BYTES)
    throw problems.tooLarge(`A request body may have ${MAX_BODY_BYTES} bytes; this one has ${raw.length}`);
  if (raw.length === 0) return undefined;
  const text = decode(raw);
  if (jsonDepth(text) > MAX_JSON_DEPTH) throw bodyFault(`is nested more than ${MAX_JSON_DEPTH} levels deep`);
  const value = parse(text);
  if (/__proto__|\\u005f/i.test(text) && holdsPrototypeKey(value))
    throw bodyFault('holds the key "__proto__", which is not allowed');
  return value;
}

const bodyFault = (detail: string): Problem => problems.invalid([{ pointer: '/body', detail }]);

function decode(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw bodyFault('is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bodyFault(`is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}

/** How deeply a JSON text nests, read without parsing, so that depth is refused before anything recurses. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}

function holdsPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey);
}

/** Reads a part of a request by its schema; the faults carry JSON pointers below `/<part>`. */
export function check<T extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: T,
  value: unknown,
): { value: z.output<T> } | { faults: Fault[] } {
  const result = schema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
  });
  if (result.success) return { value: result.data };
  return {
    faults: result.error.issues.map((issue) => ({ pointer: pointer([part, ...issue.path]), detail: issue.message })),
  };
}

/** A JSON pointer (RFC 6901) from its parts. */
export const pointer = (parts: readonly PropertyKey[]): string =>
  parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
