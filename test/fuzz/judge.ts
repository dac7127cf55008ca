/**
 * What must hold of every answer: a status that the operation declares and never one of 500 or more, a body that is
 * the declared one and nothing else, the headers that go with it, and a handler that takes no longer than a second.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Declaration, ProblemObject, problemsOf, type Success } from '#core/api/declare.ts';
import { TITLES } from '#core/problems/problems.ts';
import { mismatch } from './document.ts';
import type { Exchange, Received } from './wire.ts';

/** The longest that a handler may run. */
export const MAX_HANDLER_MS = 1_000;
/** Node's own limit on the headers of a request; what is beyond never becomes a request. */
const MAX_HEADER_BYTES = 16_000;
/** The most that the platform lets through to a function, before base64. */
const MAX_PASSED_BYTES = 4_000_000;

/** What is wrong with an answer; null when nothing is. */
export function complaintOf(exchange: Exchange, pathIsSpoilt: boolean): string | null {
  const { sent, answer, noted, asked, handlerMs } = exchange;
  if (answer.status >= 500) return `answers ${answer.status}`;
  if (answer.status === 0) return isRefusedByNode(exchange) ? null : `breaks the connection: ${answer.bytes}`;
  if (!noted) return isRefusedByNode(exchange) ? null : `answers ${answer.status} without an x-request-id of its own`;
  if (!asked) return refusalComplaint(exchange, pathIsSpoilt);
  const { declaration } = asked.operation;
  if (handlerMs === undefined) return isTooLarge(exchange) ? problemComplaint(exchange) : 'no handler answered';
  if (handlerMs > MAX_HANDLER_MS) return `ran ${Math.round(handlerMs)} ms, longer than a second`;
  const success = successOf(declaration, answer.status);
  if (success) return successComplaint(success, asked.operation.answers, answer);
  if (!problemsOf(declaration).has(asProblem(answer.status))) return `does not declare the status ${answer.status}`;
  if (!asked.operation.statuses.includes(answer.status)) return `does not document the status ${answer.status}`;
  return sent.method === 'HEAD' ? null : problemComplaint(exchange);
}

/** The way of going well that a status tells. */
const successOf = ({ success, otherSuccess }: Declaration, status: number): Success | undefined =>
  [success, otherSuccess].find((each) => each?.status === status);

/** Whether a handler ran too long: worth asking again, as the machine may have been busy with something else. */
export const isSlow = ({ handlerMs = 0 }: Exchange): boolean => handlerMs > MAX_HANDLER_MS;

const asProblem = (status: number) => {
  const known = Object.keys(TITLES)
    .map(Number)
    .find((each): each is keyof typeof TITLES => each === status);
  return known ?? 500;
};

/** Node refuses two things by itself, before there is a request: headers beyond its limit, and bytes that no path has. */
const isRefusedByNode = ({ sent, answer }: Exchange): boolean =>
  ([431, 0].includes(answer.status) && JSON.stringify([sent.path, sent.headers]).length > MAX_HEADER_BYTES) ||
  ([400, 0].includes(answer.status) && /[^\x21-\x7e]/.test(sent.path));

/** What the platform answers where no operation is: 404, or 400 for a path that cannot be decoded. */
function refusalComplaint(exchange: Exchange, pathIsSpoilt: boolean): string | null {
  const { sent, answer } = exchange;
  if (!pathIsSpoilt) return `is not routed: ${answer.status}`;
  if (answer.status === 400 && isDecodable(sent.path)) return 'the platform calls a path malformed that is not';
  if (answer.status !== 404 && answer.status !== 400)
    return `the platform answers ${answer.status} where no operation is`;
  return sent.method === 'HEAD' ? null : problemComplaint(exchange);
}

function isDecodable(path: string): boolean {
  try {
    return typeof decodeURIComponent(path.split('?')[0] ?? '') === 'string';
  } catch {
    return false;
  }
}

const isTooLarge = ({ sent, answer }: Exchange): boolean =>
  answer.status === 413 && (sent.body?.length ?? 0) > MAX_PASSED_BYTES;

/** Every error is a problem object, those of the platform too. */
function problemComplaint({ sent, answer }: Exchange): string | null {
  const { status, headers, json } = answer;
  if (headers['content-type'] !== 'application/problem+json')
    return `answers a ${status} as ${headers['content-type']}`;
  const parsed = ProblemObject().strict().safeParse(json);
  if (!parsed.success) return `answers a ${status} that is no problem object: ${parsed.error.message}`;
  const { title, status: told, instance } = parsed.data;
  if (told !== status) return `answers ${status} and says ${told}`;
  if (title !== TITLES[asProblem(status)]) return `calls a ${status} "${title}"`;
  if (instance !== sent.path.split('?')[0]) return `names the instance ${instance}`;
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'answers 401 without WWW-Authenticate';
  return null;
}

function successComplaint(
  success: Success,
  documented: Parameters<typeof mismatch>[0] | undefined,
  answer: Received,
): string | null {
  const { headers, bytes, json, cookies } = answer;
  if (success.etag && !/^"\d+"$/.test(headers.etag ?? '')) return `answers the ETag ${headers.etag}`;
  if (success.cookies && cookies.length === 0) return 'sets no cookies';
  if (success.status === 302 && !URL.canParse(headers.location ?? '')) return `redirects to ${headers.location}`;
  if (success.contentType === 'text/html') return pageComplaint(answer);
  if (success.contentType) return fileComplaint(success.contentType, answer);
  if (!success.body) return bytes.length === 0 ? null : `answers ${bytes.length} bytes where none are declared`;
  if (headers['content-type'] !== 'application/json') return `answers JSON as ${headers['content-type']}`;
  const parsed = success.body().safeParse(json);
  if (!parsed.success) return `answers what its declaration does not know: ${parsed.error.message}`;
  if (!isDeepStrictEqual(parsed.data, json)) return 'answers members that are not declared';
  const undocumented = documented ? mismatch(documented, json) : null;
  return undocumented && `answers what the document does not describe: ${undocumented}`;
}

/** A page tells a person something, and nothing that came with the request runs in it. */
function pageComplaint({ headers, bytes }: Received): string | null {
  if (headers['content-type'] !== 'text/html; charset=utf-8') return `answers a page as ${headers['content-type']}`;
  if (!headers['content-security-policy']?.startsWith("default-src 'none'"))
    return 'answers a page that may run anything';
  return /^<!doctype html>/i.test(bytes.toString()) ? null : 'answers a page that is none';
}

function fileComplaint(contentType: string, { headers, bytes }: Received): string | null {
  if (headers['content-type'] !== contentType) return `answers a file as ${headers['content-type']}`;
  if (!headers['content-disposition']?.startsWith('attachment')) return 'answers a file that is no attachment';
  return bytes.length > 0 ? null : 'answers an empty file';
}
