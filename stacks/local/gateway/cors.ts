/**
 * CORS as API Gateway applies it from its configuration: it responds to preflights itself and sets the headers of every
 * response, replacing those of the handler. Credentials are always allowed, so the allowed origin is never `*`.
 */
import { findHeader, type HttpRequest, type HttpResponse } from './http-to-event.ts';

/** Origins that may call from a browser, and what their pages may send and read. */
export interface CorsRules {
  origins: readonly string[];
  methods: readonly string[];
  headers: readonly string[];
  exposeHeaders: readonly string[];
  maxAgeSeconds: number;
}

/** The response to a preflight; undefined for other requests. An origin that is not allowed gets no CORS headers. */
export function preflight(request: HttpRequest, rules: CorsRules): HttpResponse | undefined {
  const hasMethod = findHeader(request, 'access-control-request-method') !== undefined;
  if (request.method !== 'OPTIONS' || !hasMethod || findHeader(request, 'origin') === undefined) return undefined;
  const allowed = allowedOrigin(request, rules);
  return {
    status: 204,
    headers: {
      vary: 'Origin',
      ...(allowed !== undefined && {
        ...originHeaders(allowed),
        'access-control-allow-methods': rules.methods.join(','),
        'access-control-allow-headers': rules.headers.join(','),
        'access-control-max-age': String(rules.maxAgeSeconds),
      }),
    },
    cookies: [],
    body: Buffer.alloc(0),
  };
}

/** Replaces the CORS headers of the handler by those of the configuration. */
export function withCors(response: HttpResponse, request: HttpRequest, rules: CorsRules): HttpResponse {
  const allowed = allowedOrigin(request, rules);
  const own = Object.entries(response.headers).filter(([name]) => !name.startsWith('access-control-'));
  return {
    ...response,
    headers: {
      ...Object.fromEntries(own),
      vary: varyByOrigin(response.headers.vary),
      ...(allowed !== undefined && {
        ...originHeaders(allowed),
        ...(rules.exposeHeaders.length > 0 && { 'access-control-expose-headers': rules.exposeHeaders.join(',') }),
      }),
    },
  };
}

function allowedOrigin(request: HttpRequest, rules: CorsRules): string | undefined {
  const origin = findHeader(request, 'origin');
  return origin !== undefined && rules.origins.includes(origin) ? origin : undefined;
}

const originHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
});

/** Also for origins that are not allowed: a cache must not serve their response to an allowed one. */
const varyByOrigin = (vary: string | undefined): string => (vary ? `${vary}, Origin` : 'Origin');
