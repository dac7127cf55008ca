/** Converts the result of an operation to an HTTP response, checked against the declaration. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Declaration } from '#core/api/declare.ts';

/** An HTTP response in the payload format 2.0 of API Gateway. */
export type HttpResponse = {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
};

/** The result of an operation. */
export type Result<B> = {
  /** The JSON body, without `nextCursor`. */
  body: B;
  /** The version of the resource; becomes its `ETag` if the operation declares one. */
  etag?: number;
  cookies?: string[];
  /** The target of a redirect. */
  location?: string;
  /** The position after which a list continues, null at the end; becomes a cursor. */
  next?: string | null;
  file?: { bytes: Uint8Array; contentType: string; disposition: string };
  /** An HTML page instead of a body. */
  page?: string;
  /** Whether this is the alternative success of the declaration. */
  isAlternative?: true;
};

/** HTML pages of the API run no scripts and load no resources. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Encodes a position in the requested list as a cursor. */
type ToCursor = (position: string) => string;

/** Converts a result to an HTTP response. Throws an Error, a 500, if the result does not match the declaration. */
export function buildHttpResponse(
  declaration: Declaration,
  result: Result<unknown>,
  event: APIGatewayProxyEventV2,
  toCursor: ToCursor,
): HttpResponse {
  const success = result.isAlternative ? declaration.otherSuccess : declaration.success;
  if (!success) throw new Error(`${declaration.noun}.${declaration.name} declares no other success`);
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (success.etag && result.etag !== undefined) headers.etag = `"${result.etag}"`;
  if (result.location !== undefined) headers.location = result.location;
  const response = { statusCode: success.status, headers, ...(result.cookies ? { cookies: result.cookies } : {}) };
  if (result.file) return withFile(response, result.file);
  if (result.page !== undefined) return withPage(response, result.page);
  const schema = success.body?.();
  if (!schema) return response;
  const cursor = typeof result.next === 'string' ? toCursor(result.next) : null;
  if (success.link && cursor !== null) headers.link = `<${buildNextUrl(event, cursor)}>; rel="next"`;
  const isListObject = result.next !== undefined && !success.link;
  const body = isListObject ? { ...(result.body as object), nextCursor: cursor } : result.body;
  const checked = schema.safeParse(body);
  if (!checked.success) {
    const faults = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    throw new Error(`the result of ${declaration.noun}.${declaration.name} does not match its declaration: ${faults}`);
  }
  headers['content-type'] = 'application/json';
  return { ...response, body: JSON.stringify(checked.data) };
}

/** Builds the path and query of the next batch of a list. */
function buildNextUrl(event: APIGatewayProxyEventV2, cursor: string): string {
  const query = new URLSearchParams(event.rawQueryString);
  query.set('cursor', cursor);
  return `${event.rawPath}?${query}`;
}

function withPage(response: HttpResponse, page: string): HttpResponse {
  response.headers['content-type'] = 'text/html; charset=utf-8';
  response.headers['content-security-policy'] = PAGE_POLICY;
  response.headers['referrer-policy'] = 'no-referrer';
  return { ...response, body: page };
}

function withFile(response: HttpResponse, file: NonNullable<Result<unknown>['file']>): HttpResponse {
  response.headers['content-type'] = file.contentType;
  response.headers['content-disposition'] = file.disposition;
  return { ...response, body: Buffer.from(file.bytes).toString('base64'), isBase64Encoded: true };
}
