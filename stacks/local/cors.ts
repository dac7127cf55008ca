/**
 * Cross-origin rules as API Gateway applies them from its configuration: it answers preflights itself and writes the
 * headers of every answer, whatever the handler wrote. Credentials are always allowed, so an origin is echoed by
 * name and never `*` (contract section 1). Used by `router.ts` beside this file.
 */
import { type Answer, type HttpRequest, headerOf } from './http-to-event.ts';

/** Who may call from a browser, and what a page may send and read. */
export interface CorsRules {
  origins: readonly string[];
  methods: readonly string[];
  headers: readonly string[];
  exposeHeaders: readonly string[];
  maxAgeSeconds: number;
}

/** The answer to a preflight, or undefined when the request is none. An origin that is not allowed gets no headers. */
export function preflight(request: HttpRequest, rules: CorsRules): Answer | undefined {
  const asksMethod = headerOf(request, 'access-control-request-method') !== undefined;
  if (request.method !== 'OPTIONS' || !asksMethod || headerOf(request, 'origin') === undefined) return undefined;
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

/** The answer with the cross-origin headers of the configuration in place of the handler's. */
export function withCors(answer: Answer, request: HttpRequest, rules: CorsRules): Answer {
  const allowed = allowedOrigin(request, rules);
  const own = Object.entries(answer.headers).filter(([name]) => !name.startsWith('access-control-'));
  return {
    ...answer,
    headers: {
      ...Object.fromEntries(own),
      vary: varyByOrigin(answer.headers.vary),
      ...(allowed !== undefined && {
        ...originHeaders(allowed),
        ...(rules.exposeHeaders.length > 0 && { 'access-control-expose-headers': rules.exposeHeaders.join(',') }),
      }),
    },
  };
}

function allowedOrigin(request: HttpRequest, rules: CorsRules): string | undefined {
  const origin = headerOf(request, 'origin');
  return origin !== undefined && rules.origins.includes(origin) ? origin : undefined;
}

const originHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
});

/** `Origin` is named even for origins that are not allowed: a cache must not hand their answer to those that are. */
const varyByOrigin = (vary: string | undefined): string => (vary ? `${vary}, Origin` : 'Origin');
