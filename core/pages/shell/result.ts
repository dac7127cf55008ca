/** Turns the result of a page into an HTTP response: security headers, compression, redirects. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { header } from '#core/http/request.ts';
import type { HttpResponse } from '#core/http/result.ts';
import { parseTarget } from '#core/identity/redirects.ts';
import type { Html } from './html.ts';

/** The result of a page: HTML, data for its scripts, a file to be saved, or a redirect after a success (303). */
export type PageResult = { cookies?: readonly string[]; headers?: Record<string, string> } & (
  | { html: Html; status?: number }
  | { json: unknown; status?: number }
  | { file: { bytes: Uint8Array; contentType: string; disposition: string } }
  | { location: string }
);

export type ResponseOptions = {
  event: APIGatewayProxyEventV2;
  nonce: string;
  /** The origin of the bucket, and whether the scripts of the page send files to it. */
  storage: { origin: string; sendsFiles: boolean };
  /** Whether the browser may keep the page, to show it again when its reader goes back. */
  mayBeStored: boolean;
};

/** Converts the result of a page to an HTTP response. */
export function toPageResponse(
  result: PageResult,
  { event, nonce, storage, mayBeStored }: ResponseOptions,
): HttpResponse {
  const common = { ...(result.cookies?.length ? { cookies: [...result.cookies] } : {}) };
  const headers: Record<string, string> = {
    'cache-control': mayBeStored ? 'private, no-cache' : 'no-store',
    'referrer-policy': 'same-origin',
    ...result.headers,
  };
  if ('location' in result) {
    // Going back, browsers follow stored redirects, which can loop when the response was submitted meanwhile.
    const redirect = { ...headers, 'cache-control': 'no-store', location: result.location };
    return { statusCode: 303, headers: redirect, ...common };
  }
  if ('file' in result) {
    const { bytes, contentType, disposition } = result.file;
    const fileHeaders = { 'content-type': contentType, 'content-disposition': disposition };
    const body = Buffer.from(bytes).toString('base64');
    return { statusCode: 200, headers: { ...headers, ...fileHeaders }, ...common, body, isBase64Encoded: true };
  }
  const statusCode = result.status ?? 200;
  if ('json' in result) {
    headers['content-type'] = 'application/json';
    return { statusCode, headers, ...common, body: JSON.stringify(result.json) };
  }
  headers['content-type'] = 'text/html; charset=utf-8';
  headers['content-security-policy'] = buildPolicy(nonce, storage);
  headers['cross-origin-opener-policy'] = 'same-origin';
  headers['permissions-policy'] = 'camera=(), geolocation=(), microphone=(), payment=()';
  headers.vary = 'accept-encoding, accept-language, cookie';
  return { statusCode, headers, ...common, ...compress(event, headers, result.html.toString()) };
}

/**
 * Builds the content security policy: everything comes from this service. Pictures also come from storage, by redirects of
 * this service, on every page: which page shows a cover or a file is decided by what it renders.
 */
function buildPolicy(nonce: string, { origin, sendsFiles }: ResponseOptions['storage']): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: ${origin}`,
    "font-src 'self'",
    `connect-src 'self'${sendsFiles ? ` ${origin}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Smaller bodies gain nothing from compression. */
const MIN_BYTES = 1_000;
/** A tenth of a millisecond for each 10 KB; higher qualities cost more than they save for pages made per request. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: 1 } };

/** Compresses the body as the client accepts. API Gateway passes bytes on as base64. */
function compress(
  event: APIGatewayProxyEventV2,
  headers: Record<string, string>,
  body: string,
): Pick<HttpResponse, 'body' | 'isBase64Encoded'> {
  const encoding = body.length < MIN_BYTES ? undefined : chooseEncoding(header(event, 'accept-encoding') ?? '');
  if (!encoding) return { body };
  headers['content-encoding'] = encoding;
  const bytes = encoding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body);
  return { body: bytes.toString('base64'), isBase64Encoded: true };
}

/** Chooses the better encoding that an `Accept-Encoding` header allows. */
export function chooseEncoding(accepted: string): 'br' | 'gzip' | undefined {
  const allowed = accepted
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => allowed.includes(encoding));
}

// Return paths.

/** Parses a path of this service; `/` for anything else, such as another site. */
export function parseReturnPath(text: string | null | undefined, publicUrl: string): string {
  const settings = { publicUrl, allowedOrigins: [] };
  const url = text?.startsWith('/') ? parseTarget(text, settings, publicUrl) : undefined;
  return url ? url.pathname + url.search + url.hash : '/';
}

/** Builds the path after signing in: people choose names first, unless they came to answer a form. */
export const pathAfterSignIn = ({ onboarded }: { onboarded: boolean }, to: string): string =>
  onboarded || to.startsWith('/f/') || to.startsWith('/r/') ? to : `/onboarding?to=${encodeURIComponent(to)}`;
