/**
 * What every response must satisfy: a declared status below 500, exactly the declared body, the matching headers, and
 * at most a second of a processor.
 */
import { isDeepStrictEqual } from 'node:util';
import { listProblems, ProblemObject, type Success } from '#core/api/declare.ts';
import { TITLES } from '#core/problems/problems.ts';
import { undocumented } from './document.ts';
import type { Exchange, Received } from './runtime.ts';

/** The most that a handler may use of the processors: a busy machine does not add to it. */
const MAX_CPU_MS = 1_000;
/** The longest time for which API Gateway waits for a handler. */
const MAX_WAIT_MS = 29_000;
/** Node refuses requests with more bytes of headers before the server sees them. */
const MAX_HEADER_BYTES = 16_000;
/** The largest body that the platform passes to a function, before base64. */
const MAX_PASSED_BYTES = 4_000_000;

/** Whether a handler may have used too much. Such a request is repeated alone, because others have used some of it. */
export const isSlow = ({ took }: Exchange): boolean =>
  took !== undefined && (took.cpuMs > MAX_CPU_MS || took.ms > MAX_WAIT_MS);

/** What is wrong with a response; null if nothing is. */
export function violationOf(exchange: Exchange, pathIsMutated: boolean): string | null {
  const { sent, received, routed, took } = exchange;
  const { status } = received;
  if (status >= 500) return `responds with ${status}`;
  if (!exchange.reached)
    return isRefusedByNode(exchange) ? null : `responds with ${status} without its own x-request-id: ${received.bytes}`;
  if (!routed) return unroutedViolation(exchange, pathIsMutated);
  if (took === undefined) return isTooLarge(exchange) ? problemViolation(exchange) : 'no handler ran';
  if (isSlow(exchange))
    return `used ${Math.round(took.cpuMs)} ms of a processor, more than a second, or ran longer than 29 s`;
  const success = [routed.success, routed.otherSuccess].find((each) => each?.status === status);
  if (!success && ![...listProblems(routed).keys()].some((each) => each === status))
    return `has the undeclared status ${status}`;
  if (sent.method === 'HEAD') return received.bytes.length > 0 ? 'has a body' : undocumented(routed, status);
  const violation = success ? successViolation(success, received) : problemViolation(exchange);
  return violation ?? undocumented(routed, status, received.json);
}

const isTooLarge = ({ sent, received }: Exchange): boolean =>
  received.status === 413 && (sent.body?.length ?? 0) > MAX_PASSED_BYTES;

/** Node itself refuses too many headers, and bytes that are invalid in a path. */
const isRefusedByNode = ({ sent, received }: Exchange): boolean =>
  ([431, 0].includes(received.status) && JSON.stringify([sent.path, sent.headers]).length > MAX_HEADER_BYTES) ||
  ([400, 0].includes(received.status) && /[^\x21-\x7e]/.test(sent.path));

/** Without an operation the platform responds with 404, or with 400 if the path cannot be decoded. */
function unroutedViolation(exchange: Exchange, pathIsMutated: boolean): string | null {
  const { sent, received } = exchange;
  if (!pathIsMutated) return `is not routed: ${received.status}`;
  if (received.status === 400 && isDecodable(sent.path)) return 'the platform refuses a valid path as malformed';
  if (received.status !== 404 && received.status !== 400)
    return `the platform responds with ${received.status} where no operation is`;
  return sent.method === 'HEAD' ? null : problemViolation(exchange);
}

function isDecodable(path: string): boolean {
  try {
    return typeof decodeURIComponent(path.split('?')[0] ?? '') === 'string';
  } catch {
    return false;
  }
}

/** Every error is a problem object, including those of the platform. */
function problemViolation({ sent, received }: Exchange): string | null {
  const { status, headers, json } = received;
  if (headers['content-type'] !== 'application/problem+json')
    return `has a ${status} of the type ${headers['content-type']}`;
  const parsed = ProblemObject().strict().safeParse(json);
  if (!parsed.success) return `has a ${status} that is not a problem object: ${parsed.error.message}`;
  const { title, status: reported, instance } = parsed.data;
  if (reported !== status) return `has the status ${status} and says ${reported}`;
  if (title !== Object.entries(TITLES).find(([code]) => Number(code) === status)?.[1])
    return `calls a ${status} "${title}"`;
  if (instance !== sent.path.split('?')[0]) return `names the instance ${instance}`;
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'has a 401 without WWW-Authenticate';
  return null;
}

function successViolation(success: Success, received: Received): string | null {
  const { headers, bytes, json, cookies } = received;
  if (success.etag && !/^"\d+"$/.test(headers.etag ?? '')) return `has the ETag ${headers.etag}`;
  if (success.cookies && cookies.length === 0) return 'sets no cookies';
  if (success.status === 302 && !URL.canParse(headers.location ?? '')) return `redirects to ${headers.location}`;
  if (success.contentType === 'text/html') return pageViolation(received);
  if (success.contentType) return fileViolation(success.contentType, received);
  if (!success.body) return bytes.length === 0 ? null : `has a body of ${bytes.length} bytes where none is declared`;
  if (headers['content-type'] !== 'application/json') return `has JSON of the type ${headers['content-type']}`;
  const parsed = success.body().safeParse(json);
  if (!parsed.success) return `differs from its declaration: ${parsed.error.message}`;
  return isDeepStrictEqual(parsed.data, json) ? null : 'has undeclared members';
}

/** A page is HTML whose policy allows no scripts. */
function pageViolation({ headers, bytes }: Received): string | null {
  if (headers['content-type'] !== 'text/html; charset=utf-8')
    return `has a page of the type ${headers['content-type']}`;
  if (!headers['content-security-policy']?.startsWith("default-src 'none'")) return 'has a page that may run scripts';
  return /^<!doctype html>/i.test(bytes.toString()) ? null : 'has a page that is not HTML';
}

function fileViolation(contentType: string, { headers, bytes }: Received): string | null {
  if (headers['content-type'] !== contentType) return `has a file of the type ${headers['content-type']}`;
  if (!headers['content-disposition']?.startsWith('attachment')) return 'has a file that is not an attachment';
  return bytes.length > 0 ? null : 'has an empty file';
}
