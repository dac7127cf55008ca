/** Makes the HTTP answer of what a rule replied: checks it against the declaration, so that nothing undeclared leaves. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Declaration } from '#core/api/declare.ts';
import type { HttpAnswer } from './idempotency.ts';

/** What a rule replies. `body` is the JSON answer; `file` a binary one. */
export type Reply<B> = {
  body: B;
  /** The version of the thing answered; becomes its `ETag`. */
  etag?: number;
  cookies?: string[];
  /** Where a redirect goes, or where a job can be watched. */
  location?: string;
  /** The cursor of a bare array that goes on. */
  next?: string | null;
  file?: { bytes: Uint8Array; contentType: string; disposition: string };
  /** A page for a person, in the place of a body. */
  page?: string;
  /** This is the declaration's other way to go well. */
  other?: true;
};

/** A page of ours runs nothing and loads nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The HTTP answer of a reply. An answer that does not match its declaration is a defect and throws. */
export function answerOf(declaration: Declaration, reply: Reply<unknown>, event: APIGatewayProxyEventV2): HttpAnswer {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (reply.etag !== undefined) headers.etag = `"${reply.etag}"`;
  if (reply.location !== undefined) headers.location = reply.location;
  if (reply.next) headers.link = `<${nextPage(event, reply.next)}>; rel="next"`;
  const success = reply.other ? declaration.otherSuccess : declaration.success;
  if (!success) throw new Error(`${declaration.noun}.${declaration.name} declares no other success`);
  const answer = {
    statusCode: success.status,
    headers,
    ...(reply.cookies ? { cookies: reply.cookies } : {}),
  };
  if (reply.file) return withFile(answer, reply.file);
  if (reply.page !== undefined) return withPage(answer, reply.page);
  const schema = success.body?.();
  if (!schema) return answer;
  const checked = schema.safeParse(reply.body);
  if (!checked.success) {
    const where = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    throw new Error(`the answer of ${declaration.noun}.${declaration.name} does not match its declaration: ${where}`);
  }
  headers['content-type'] = 'application/json';
  return { ...answer, body: JSON.stringify(checked.data) };
}

/** The path and query of the same list, from a cursor on. */
function nextPage(event: APIGatewayProxyEventV2, cursor: string): string {
  const query = new URLSearchParams(event.rawQueryString);
  query.set('cursor', cursor);
  return `${event.rawPath}?${query}`;
}

function withPage(answer: HttpAnswer, page: string): HttpAnswer {
  answer.headers['content-type'] = 'text/html; charset=utf-8';
  answer.headers['content-security-policy'] = PAGE_POLICY;
  answer.headers['x-content-type-options'] = 'nosniff';
  answer.headers['referrer-policy'] = 'no-referrer';
  return { ...answer, body: page };
}

function withFile(answer: HttpAnswer, file: NonNullable<Reply<unknown>['file']>): HttpAnswer {
  answer.headers['content-type'] = file.contentType;
  answer.headers['content-disposition'] = file.disposition;
  answer.headers['x-content-type-options'] = 'nosniff';
  return { ...answer, body: Buffer.from(file.bytes).toString('base64'), isBase64Encoded: true };
}
