/**
 * API Gateway's conversions (HTTP API, payload format 2.0) as two pure functions: an HTTP request to a Lambda event,
 * and the result of a handler to an HTTP response. `router.ts` chooses the route, `server.ts` opens the socket.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** An HTTP request; `url` is path and query, `headers` are pairs in the order of arrival. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  remoteAddress: string;
  httpVersion: string;
}

/** An HTTP response; each entry of `cookies` is a Set-Cookie header of its own. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
}

/** The route of a request; `pathParameters` are percent-decoded. */
interface ChosenRoute {
  routeKey: string;
  pathParameters: Record<string, string>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** In addition to `text/*`. Measured on AWS, not documented: form data, `+json` types and a missing type are binary. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/xml', 'application/javascript']);

/** Headers of one connection, which are not passed to a function or taken from one. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Converts a request to the event of API Gateway. Header names are lower-case; repeated headers and query parameters
 * are joined with `,`; cookies appear in `cookies` only; a body that is not text is base64 encoded.
 */
export function toEvent(request: HttpRequest, route: ChosenRoute, at: Date, requestId: string): APIGatewayProxyEventV2 {
  const [rawPath, rawQueryString] = splitUrl(request.url);
  const headers = eventHeaders(request, at, requestId);
  const cookies = splitCookies(request.headers);
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

/** Splits a request target into path and query (without its `?`; empty when there is none). */
export function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** The first value of a header, by its lower-case name. */
export const findHeader = (request: HttpRequest, name: string): string | undefined =>
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
    'x-forwarded-port': parsePort(headers.host),
    'x-forwarded-proto': 'http',
  };
}

/** Builds a record of pairs; values of the same name are joined with `,`. */
function joined(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
}

const splitCookies = (headers: HttpRequest['headers']): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';'))
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '');

function isTextType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || TEXT_TYPES.has(type);
}

const parsePort = (host: string | undefined): string => /:(\d+)$/.exec(host ?? '')?.[1] ?? '80';

function requestContext(
  request: HttpRequest,
  path: string,
  headers: Record<string, string>,
  context: { routeKey: string; at: Date; requestId: string },
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
    requestId: context.requestId,
    routeKey: context.routeKey,
    stage: '$default',
    time: accessLogTime(context.at),
    timeEpoch: context.at.getTime(),
  };
}

/** Formats a time as in access logs: `12/Mar/2020:19:03:58 +0000`. */
function accessLogTime(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2, '0');
  return `${day}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${at.toISOString().slice(11, 19)} +0000`;
}

/**
 * Converts the result of a handler to the HTTP response of API Gateway. Without a `statusCode` the whole result is the
 * JSON body of a 200. Throws TypeError where API Gateway responds with 500 itself: an invalid status, a body that is
 * not a string, a header that cannot be sent.
 */
export function toHttpResponse(result: unknown): HttpResponse {
  if (!isRecord(result) || result.statusCode === undefined) return inferredResponse(result);
  const status = toStatus(result.statusCode);
  const body = toBody(result, status);
  const headers = toHeaders(result.headers);
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

function inferredResponse(result: unknown): HttpResponse {
  const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body: Buffer.from(body) };
}

function toStatus(statusCode: unknown): number {
  const status = Number(statusCode);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new TypeError(`a handler returned ${JSON.stringify(statusCode)}, which is not an HTTP status`);
}

function toBody(result: Record<string, unknown>, status: number): Buffer {
  const body = result.body ?? '';
  if (typeof body !== 'string') throw new TypeError('a handler returned a body that is not a string');
  const isBodiless = status === 204 || status === 304;
  return Buffer.from(isBodiless ? '' : body, result.isBase64Encoded === true ? 'base64' : 'utf8');
}

function toHeaders(input: unknown): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(isRecord(input) ? input : {})) {
    const lowerCase = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lowerCase) || lowerCase === 'content-length') continue;
    if (typeof value === 'object') throw new TypeError(`a handler returned a header ${name} that is not a string`);
    validateHeaderName(lowerCase);
    validateHeaderValue(lowerCase, String(value));
    headers.set(lowerCase, String(value));
  }
  return headers;
}
