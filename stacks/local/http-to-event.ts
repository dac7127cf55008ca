/**
 * What API Gateway (HTTP API, payload format 2.0) does between a browser and a function, as two pure functions:
 * a request becomes an event, and what a handler returned becomes an answer. Nothing here opens a socket or
 * reads a clock; `server.ts` beside this file does both and chooses the route.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request as it came from the wire; `url` is path and query, `headers` are pairs in the order of arrival. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  remoteAddress: string;
  httpVersion: string;
}

/** What goes back over the wire; each entry of `cookies` is a Set-Cookie header of its own. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
}

/** The route that was chosen; `pathParameters` are already percent-decoded. */
export interface ChosenRoute {
  routeKey: string;
  pathParameters: Record<string, string>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Beside `text/*`. Measured on AWS, not documented: form data, `+json` types and a missing type are not among them. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/xml', 'application/javascript']);

/** Headers that belong to one connection and never reach a function, nor come from one. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * The event that API Gateway makes of a request.
 * Header names are lower-case and repeated ones joined with `,`; cookies stand in `cookies` alone; a query
 * parameter that is given twice is joined with `,`; a body that is not text arrives base64 encoded.
 */
export function toEvent(request: HttpRequest, route: ChosenRoute, at: Date, requestId: string): APIGatewayProxyEventV2 {
  const [rawPath, rawQueryString] = splitUrl(request.url);
  const headers = eventHeaders(request, at, requestId);
  const cookies = cookiesOf(request.headers);
  const isText = isTextType(headers['content-type']);
  const hasBody = request.body.length > 0;
  return {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: joined(new URLSearchParams(rawQueryString)) }),
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: route.pathParameters }),
    requestContext: requestContext(request, rawPath, headers, { routeKey: route.routeKey, at, requestId }),
    ...(hasBody && { body: request.body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: hasBody && !isText,
  };
}

/** Path and query of a request's target; the query without its `?`, `''` when there is none. */
export function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** The first value of a header, whatever the case of its name. */
export const headerOf = (request: HttpRequest, name: string): string | undefined =>
  request.headers.find(([other]) => other.toLowerCase() === name)?.[1];

function eventHeaders(request: HttpRequest, at: Date, requestId: string): Record<string, string> {
  const kept = request.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => name !== 'cookie' && !CONNECTION_HEADERS.has(name));
  const headers = joined(kept);
  const forwarded = headers['x-forwarded-for'];
  const seconds = Math.floor(at.getTime() / 1_000).toString(16);
  return {
    'x-amzn-trace-id': `Root=1-${seconds}-${requestId.replaceAll('-', '').slice(0, 24)}`,
    ...headers,
    'content-length': String(request.body.length),
    'x-forwarded-for': forwarded ? `${forwarded}, ${request.remoteAddress}` : request.remoteAddress,
    'x-forwarded-port': portOf(headers.host),
    'x-forwarded-proto': 'http',
  };
}

/** A record of pairs in which values of the same name are joined with `,`. */
function joined(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

const cookiesOf = (headers: HttpRequest['headers']): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';'))
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '');

function isTextType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || TEXT_TYPES.has(type);
}

const portOf = (host: string | undefined): string => /:(\d+)$/.exec(host ?? '')?.[1] ?? '80';

function requestContext(
  request: HttpRequest,
  path: string,
  headers: Record<string, string>,
  about: { routeKey: string; at: Date; requestId: string },
): APIGatewayProxyEventV2['requestContext'] {
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName: headers.host?.replace(/:\d+$/, '') ?? 'localhost',
    domainPrefix: 'local',
    http: {
      method: request.method,
      path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.remoteAddress,
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: about.requestId,
    routeKey: about.routeKey,
    stage: '$default',
    time: accessLogTime(about.at),
    timeEpoch: about.at.getTime(),
  };
}

/** A moment as access logs write it: `12/Mar/2020:19:03:58 +0000`. */
function accessLogTime(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2, '0');
  return `${day}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;
}

/**
 * The answer that API Gateway makes of what a handler returned. Without a `statusCode` the whole result is the
 * JSON body of a 200; with one, `headers`, `cookies`, `body` and `isBase64Encoded` mean what they say.
 * Throws TypeError for what API Gateway would answer with its own 500: a status that is none, a body that is not
 * a string, a header that cannot be sent.
 */
export function toAnswer(result: unknown): Answer {
  if (!isRecord(result) || result.statusCode === undefined) return inferredAnswer(result);
  const status = statusOf(result.statusCode);
  const body = bodyOf(result, status);
  const headers = headersOf(result.headers);
  const fromHeaders = headers.get('set-cookie');
  headers.delete('set-cookie');
  if (body.length > 0 && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  const cookies = Array.isArray(result.cookies) ? result.cookies.map(String) : [];
  for (const cookie of cookies) validateHeaderValue('set-cookie', cookie);
  return {
    status,
    headers: Object.fromEntries(headers),
    cookies: fromHeaders === undefined ? cookies : [fromHeaders, ...cookies],
    body,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inferredAnswer(result: unknown): Answer {
  const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body: Buffer.from(body) };
}

function statusOf(statusCode: unknown): number {
  const status = Number(statusCode);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new TypeError(`a handler answered with the status ${JSON.stringify(statusCode)}, which is none`);
}

function bodyOf(result: Record<string, unknown>, status: number): Buffer {
  const body = result.body ?? '';
  if (typeof body !== 'string') throw new TypeError('a handler answered with a body that is not a string');
  const isBodiless = status === 204 || status === 304;
  return Buffer.from(isBodiless ? '' : body, result.isBase64Encoded === true ? 'base64' : 'utf8');
}

function headersOf(given: unknown): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    const lowerCase = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lowerCase) || lowerCase === 'content-length') continue;
    if (typeof value === 'object') throw new TypeError(`a handler answered with a header ${name} that is not a string`);
    validateHeaderName(lowerCase);
    validateHeaderValue(lowerCase, String(value));
    headers.set(lowerCase, String(value));
  }
  return headers;
}
