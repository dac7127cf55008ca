/** Reads headers, cookies, query and body of an API Gateway event, and reports their faults. */
import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { parseCookie } from 'cookie';
import { parse } from 'secure-json-parse';
import type * as z from 'zod';
import { MAX_BODY_BYTES, type PartsSpec } from '#core/api/declare.ts';
import { MAX_FAULTS, type Problem, problems, toJsonPointer, type ValueFault } from '#core/problems/problems.ts';
import { isMissing, issueText } from '#core/schema/issue-text.ts';

/** The deepest nesting of a JSON body. */
const MAX_JSON_DEPTH = 128;
/** The largest number of values in a JSON body: 4.5 MB can contain millions, which take seconds to validate. */
const MAX_JSON_VALUES = 100_000;

/** Returns a header's value, by its lower-case name. */
export const header = (event: APIGatewayProxyEventV2, name: string): string | undefined => event.headers[name];

/** Reads the path parameters of these names; a missing one is the empty text. */
export const readParams = (event: APIGatewayProxyEventV2, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, event.pathParameters?.[name] ?? '']));

/** Reads a cookie. API Gateway lists cookies apart from the headers; gateways that emulate it may leave them there. */
export const cookie = (event: APIGatewayProxyEventV2, name: string): string | undefined =>
  parseCookie(cookieHeader(event).join(';'))[name];

/** Lists the cookies whose names begin with a prefix. */
export const cookiesWith = (event: APIGatewayProxyEventV2, prefix: string): { name: string; value: string }[] =>
  Object.entries(parseCookie(cookieHeader(event).join(';'))).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== undefined ? [{ name, value }] : [],
  );

const cookieHeader = (event: APIGatewayProxyEventV2): string[] =>
  (event.cookies?.join(';') ?? event.headers.cookie ?? '').split(';');

/**
 * Reads a cookie that signs somebody in or belongs to an authorization. Throws 401 if there are several of its name: a
 * site below the same domain can set one, and nothing distinguishes it from ours.
 */
export function credentialCookie(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const names = cookieHeader(event).map((pair) => pair.split('=', 1)[0]?.trim());
  if (names.filter((cookieName) => cookieName === name).length > 1) throw problems.unauthorized();
  return cookie(event, name);
}

/** Reads the query for validation: arrays for the names in `lists` and for repeated names, otherwise strings. */
export function readQuery(
  event: APIGatewayProxyEventV2,
  lists: ReadonlySet<string>,
): Record<string, string | string[]> {
  const parameters = new URLSearchParams(event.rawQueryString);
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, values] of Map.groupBy(parameters, ([parameter]) => parameter)) {
    const [first = '', ...furtherValues] = values.map(([, value]) => value);
    query[name] = lists.has(name) || furtherValues.length > 0 ? [first, ...furtherValues] : first;
  }
  return query;
}

/** A file of a multipart body. */
export type FilePart = { filename: string; contentType: string; bytes: Uint8Array };

/** Whether the content type of a request is a multipart one. */
export const isMultipart = (event: APIGatewayProxyEventV2): boolean =>
  /^multipart\//i.test(header(event, 'content-type') ?? '');

/**
 * Reads the files of a multipart body, in order and with unchanged names. Parts with other names are ignored. Throws 413 for
 * too many bytes, 415 for a part that is not a file, and 400 for a body that cannot be parsed as multipart/form-data,
 * has no files or too many.
 */
export async function readFiles(
  event: APIGatewayProxyEventV2,
  { name, max, otherwise }: PartsSpec,
): Promise<FilePart[]> {
  const { parseFormParts: formParts } = await import('./multipart.ts');
  const parts = formParts(readRawBody(event, { otherwise }), header(event, 'content-type') ?? '');
  const fileParts = parts.filter((part) => part.name === name);
  if (fileParts.length === 0) throw bodyFault(`has no part "${name}"`);
  if (fileParts.length > max) throw bodyFault(`has ${fileParts.length} parts "${name}": at most ${max} are allowed`);
  return fileParts.map(({ filename, contentType, bytes }) => {
    if (filename !== undefined) return { filename, contentType, bytes };
    throw problems.unsupportedMediaType(`A part "${name}" is not a file: give it a file name`);
  });
}

/** Reads the bytes of the body. Throws 413 for more than `maxBytes`; `otherwise` says what to do instead. */
export function readRawBody(
  event: APIGatewayProxyEventV2,
  { maxBytes = MAX_BODY_BYTES, otherwise = '' }: { maxBytes?: number; otherwise?: string } = {},
): Buffer {
  const raw = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (raw.length <= maxBytes) return raw;
  const detail = `A request body may have at most ${maxBytes} bytes; this one has ${raw.length}`;
  throw problems.tooLarge(otherwise ? `${detail}. ${otherwise}` : detail);
}

/**
 * Reads the JSON body, undefined when it is empty. Any content type but multipart is parsed as JSON. Throws 413 for too many
 * bytes or values, 415 for multipart, and 400 for text that is not JSON, is nested too deeply, or has a key that could
 * change a prototype.
 */
export function readJsonBody(event: APIGatewayProxyEventV2): unknown {
  if (isMultipart(event)) throw problems.unsupportedMediaType('This operation takes JSON, not multipart');
  const raw = readRawBody(event);
  if (raw.length === 0) return undefined;
  if (!isUtf8(raw)) throw bodyFault('is not valid UTF-8');
  return parseJsonText(raw.toString());
}

/**
 * Parses the JSON text of a body, or of a part of it that is below `levels` others. Throws 413 for too many values, and 400
 * like `readJsonBody`.
 */
export function parseJsonText(text: string, levels = 0): unknown {
  checkExtent(text, levels);
  const value = parseJson(text);
  if (value === null && text.trim() !== 'null') {
    throw bodyFault('must not have the key "__proto__", or "prototype" in "constructor"');
  }
  return value;
}

const bodyFault = (detail: string): Problem => problems.invalid([{ pointer: '/body', detail }]);

/** Parses a JSON text; null also if it contains a key that could change a prototype. */
function parseJson(text: string): unknown {
  try {
    return parse(text, { safe: true });
  } catch (error) {
    throw bodyFault(`is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`);
  }
}

/** Limits nesting and the number of values before parsing: JSON.parse of 4 MB of brackets takes a second. */
function checkExtent(text: string, levels: number): void {
  let depth = levels;
  let values = 1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' || character === '{' || character === '[') {
      // Each value follows a comma or an opening bracket.
      values += 1;
      if (character !== ',') depth += 1;
      if (depth > MAX_JSON_DEPTH) throw bodyFault(`must not be nested more than ${MAX_JSON_DEPTH} levels deep`);
      if (values > MAX_JSON_VALUES) throw problems.tooLarge(`A JSON body may have at most ${MAX_JSON_VALUES} values`);
    }
  }
}

/** Validates a part of a request with its schema. The faults, at most 1,000, have JSON pointers below `/<part>`. */
export function validatePart<T extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: T,
  value: unknown,
): { value: z.output<T> } | { faults: ValueFault[] } {
  const result = schema.safeParse(value, { error: issueText, reportInput: true });
  if (result.success) return { value: result.data };
  const faults = result.error.issues.slice(0, MAX_FAULTS).map((issue) => ({
    pointer: toJsonPointer([part, ...issue.path]),
    path: issue.path,
    detail: isMissing(issue) ? 'is required' : issue.message,
    issue,
  }));
  return { faults };
}
