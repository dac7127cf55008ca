/** Reads an API Gateway event: headers, cookies, query and JSON body, with a precise fault for all that is wrong. */
import { MIMEType } from 'node:util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { PartsSpec } from '#core/api/declare.ts';
import { type Fault, type Problem, problems } from '#core/problems/problems.ts';

/** The most bytes of a request body: Lambda's 6 MB, less what base64 adds (contract section 1). */
export const MAX_BODY_BYTES = 4_500_000;
/** The most parts of a multipart body: tens of thousands of empty ones are small as bytes, and a second to build. */
const MAX_PARTS = 100;
/** The deepest nesting of a JSON body. */
const MAX_JSON_DEPTH = 128;
/** The most values of a JSON body: a million of them are small as bytes, and seconds to judge one by one. */
export const MAX_JSON_VALUES = 100_000;
/** The most faults that are told at once; many more would not fit an answer. */
export const MAX_FAULTS = 1_000;

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

/** A file of a multipart body. */
export type Part = { filename: string; contentType: string; bytes: Uint8Array };

export const isMultipart = (event: APIGatewayProxyEventV2): boolean =>
  /^multipart\//i.test(header(event, 'content-type') ?? '');

/**
 * The files of a multipart body, in order, their names to the letter. Fields of other names are ignored. Throws 413
 * for too many bytes, 415 for a part that is no file, and 400 for what is not multipart/form-data, has no file, or
 * too many.
 */
export async function filesOf(event: APIGatewayProxyEventV2, { name, max, otherwise }: PartsSpec): Promise<Part[]> {
  const raw = rawBody(event, otherwise);
  const entries = (await formOf(event, raw)).getAll(name);
  if (entries.length === 0) throw bodyFault(`has no part "${name}"`);
  if (entries.length > max) throw bodyFault(`has ${entries.length} parts "${name}"; the most are ${max}`);
  return Promise.all(
    entries.map(async (entry) => {
      if (typeof entry === 'string') {
        throw problems.unsupportedMediaType(`A part "${name}" is no file: give it a file name`);
      }
      return { filename: entry.name, contentType: entry.type, bytes: new Uint8Array(await entry.arrayBuffer()) };
    }),
  );
}

/** The platform reads multipart by the standard that browsers write it by. */
async function formOf(event: APIGatewayProxyEventV2, raw: Buffer): Promise<FormData> {
  const type = multipartType(header(event, 'content-type') ?? '');
  if (!type) throw unreadable();
  if (holdsMoreThan(raw, `--${type.params.get('boundary')}`, MAX_PARTS + 1)) {
    throw bodyFault(`has more than ${MAX_PARTS} parts`);
  }
  try {
    return await new Response(new Uint8Array(raw), { headers: { 'content-type': String(type) } }).formData();
  } catch {
    throw unreadable();
  }
}

const unreadable = (): Problem => bodyFault('is not readable as multipart/form-data (RFC 7578)');

/**
 * The type of a form, with its boundary and nothing else: so the boundary whose parts are counted is the one by which
 * they are read, whatever the header says beside it. Undefined for another type, or one without a boundary.
 */
function multipartType(text: string): MIMEType | undefined {
  try {
    const { essence, params } = new MIMEType(text);
    const boundary = params.get('boundary');
    return boundary && essence === FORM_DATA ? new MIMEType(`${FORM_DATA};boundary=${quoted(boundary)}`) : undefined;
  } catch {
    return undefined;
  }
}

const FORM_DATA = 'multipart/form-data';
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Whether a text occurs more than so many times: told without building anything of it. */
function holdsMoreThan(raw: Buffer, text: string, times: number): boolean {
  let count = 0;
  for (let at = raw.indexOf(text); at !== -1 && count <= times; at = raw.indexOf(text, at + text.length)) count += 1;
  return count > times;
}

/** The bytes of the body. Throws 413 when they are too many. */
function rawBody(event: APIGatewayProxyEventV2, otherwise = ''): Buffer {
  const raw = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (raw.length <= MAX_BODY_BYTES) return raw;
  const detail = `A request body may have ${MAX_BODY_BYTES} bytes; this one has ${raw.length}`;
  throw problems.tooLarge(otherwise ? `${detail}. ${otherwise}` : detail);
}

/**
 * The JSON body, or undefined when there is none. Read as JSON whatever the content type says, unless it is
 * multipart. Throws 413 for too many bytes or values, 415, and 400 for what is not JSON, nested too deeply, or holds
 * a key `__proto__`.
 */
export function jsonBody(event: APIGatewayProxyEventV2): unknown {
  if (isMultipart(event)) throw problems.unsupportedMediaType('This operation takes JSON, not multipart');
  const raw = rawBody(event);
  if (raw.length === 0) return undefined;
  const text = decode(raw);
  const { depth, values } = jsonExtent(text);
  if (depth > MAX_JSON_DEPTH) throw bodyFault(`is nested more than ${MAX_JSON_DEPTH} levels deep`);
  if (values > MAX_JSON_VALUES) throw problems.tooLarge(`A JSON body may hold ${MAX_JSON_VALUES} values`);
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

/**
 * How deeply a JSON text nests and how many values it may hold (each follows a comma or an opening bracket), read
 * without parsing, so that both are refused before anything recurses or is built.
 */
function jsonExtent(text: string): { depth: number; values: number } {
  let depth = 0;
  let values = 1;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x2c) values += 1;
    else if (code === 0x7b || code === 0x5b) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { depth: deepest, values };
}

function holdsPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey);
}

/** Reads a part of a request by its schema; its faults, the first thousand, carry JSON pointers below `/<part>`. */
export function check<T extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: T,
  value: unknown,
): { value: z.output<T> } | { faults: Fault[] } {
  const result = schema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
  });
  if (result.success) return { value: result.data };
  const told = result.error.issues.slice(0, MAX_FAULTS);
  return { faults: told.map((issue) => ({ pointer: pointer([part, ...issue.path]), detail: issue.message })) };
}

/** A JSON pointer (RFC 6901) from its parts. */
export const pointer = (parts: readonly PropertyKey[]): string =>
  parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
