/**
 * Where the service may redirect a browser: to its own origin and to the allowed ones. A URL that the parser would have
 * to repair first is refused.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
import { isWebUrl } from '#core/schema/text.ts';
import type { LoginQuery } from './model.ts';

const MAX_TARGET = 2_048;
const MAX_BASE = 200;
const PATH = /^\/(?!\/)[^\s\p{Cc}\\]*$/u;

const NOT_ALLOWED =
  'must be an http or https URL of an allowed origin (ALLOWED_ORIGINS), without user information, of at most 2,048 characters once encoded';

/** Parses a URL to which a browser may be redirected: absolute, or a path if `base` is given. Otherwise undefined. */
export function parseTarget(text: string, origins: AllowedOrigins, base?: string): URL | undefined {
  if (!isWebUrl(text) && !(base !== undefined && PATH.test(text))) return undefined;
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url || !isAllowedOrigin(url.origin, origins)) return undefined;
  // A path such as /.//host would be another host to a client that drops the origin.
  const isPlain = url.username === '' && url.password === '' && !url.pathname.startsWith('//');
  return isPlain && url.href.length <= MAX_TARGET ? url : undefined;
}

type LoginSettings = AllowedOrigins & { development: boolean };

/** Where a login ends. `r` is kept as it was given, and only if it differs from `c`. */
type LoginTargets = { c: string; r?: string; base?: string };

/** Reads `c`, `r` and `base` of a login. Throws 400 with a fault for each that is not allowed. */
export function parseLoginTargets({ c, r, base }: LoginQuery, settings: LoginSettings): LoginTargets {
  const target = parseTarget(c, settings);
  const forwarded = r === undefined ? undefined : parseTarget(r, settings, target?.href ?? settings.publicUrl);
  const faults: Fault[] = [];
  if (!target) faults.push({ pointer: '/query/c', detail: NOT_ALLOWED });
  if (r !== undefined && !forwarded) faults.push({ pointer: '/query/r', detail: `${NOT_ALLOWED}, or a path` });
  const baseFault = base === undefined ? undefined : findBaseFault(base, settings);
  if (baseFault !== undefined) faults.push({ pointer: '/query/base', detail: baseFault });
  if (!target || faults.length > 0) throw problems.invalid(faults);
  return {
    c: target.href,
    ...(r === undefined || forwarded?.href === target.href ? {} : { r }),
    ...(base === undefined ? {} : { base }),
  };
}

/** Finds what is wrong with a base. Its path becomes the path of a cookie, so only plain characters are allowed. */
function findBaseFault(text: string, settings: LoginSettings): string | undefined {
  if (!settings.development) return 'is only allowed in development mode (DEVELOPMENT)';
  const url = parseTarget(text, settings);
  const isPlain = url && url.search === '' && url.hash === '' && /^[\w./~-]*$/.test(url.pathname);
  if (isPlain && url.href.length <= MAX_BASE) return undefined;
  return `must be a URL of an allowed origin (ALLOWED_ORIGINS) without a query, of at most ${MAX_BASE} characters`;
}

/** Parses where a connection ends: the URL of `r`, a path being one of this service, or what is wrong with it. */
export function parseConnectTarget(r: string, settings: AllowedOrigins): { target?: string; fault?: Fault } {
  const url = parseTarget(r, settings, settings.publicUrl);
  return url ? { target: url.href } : { fault: { pointer: '/query/r', detail: `${NOT_ALLOWED}, or a path` } };
}

/** The outcome of a login or connection, as query parameters of the URL where it ends. */
export type RedirectOutcome = { r?: string; status?: 'success' | 'error'; error?: string };

/** Adds an outcome to the query of a URL. The rest of the query stays as it is, except for an earlier outcome. */
export function withOutcome(target: string, outcome: RedirectOutcome): string {
  const url = new URL(target);
  const replaced = new Set(['status', 'error', ...Object.keys(outcome)]);
  const unchangedPairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && ![...new URLSearchParams(pair).keys()].some((name) => replaced.has(name)));
  const outcomeQuery = new URLSearchParams(outcome).toString();
  url.search = [...unchangedPairs, ...(outcomeQuery === '' ? [] : [outcomeQuery])].join('&');
  return url.href;
}

/** The characters that OAuth 2 allows in error codes. */
const ERROR_CODE = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/;
const MAX_ERROR_CODE = 100;

/** Returns the error code of a provider, shortened; `provider_error` for a text that is not an error code. */
export const toErrorCode = (error: string): string =>
  ERROR_CODE.test(error) ? error.slice(0, MAX_ERROR_CODE) : 'provider_error';

// The session cookies, and which origins may send them.

export const ACCESS_COOKIE = 'access_token';
export const REFRESH_COOKIE = 'refresh_token';

/** How the names of the cookies with guest credentials begin. */
export const GUEST_COOKIES = 'guest_';

/** Returns the name of the cookie with the guest credential of the form with a key. */
export const guestCookie = (key: string): string => GUEST_COOKIES + key;

/** The service's own address, without a slash at its end, and the further origins that are allowed. */
export type AllowedOrigins = { publicUrl: string; allowedOrigins: readonly string[] };

/** Whether an origin is the service's own or on the configured list. */
export const isAllowedOrigin = (origin: string, { publicUrl, allowedOrigins }: AllowedOrigins): boolean =>
  origin === new URL(publicUrl).origin || allowedOrigins.includes(origin);
