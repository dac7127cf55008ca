/**
 * Where the service may send a browser (contract sections 2 and 10): to its own origin and to those on the list, and
 * nowhere else. Whatever the URL parser would have to repair first is refused. Pure.
 */
import type { LoginQuery } from '#core/accounts/model.ts';
import type { App } from '#core/http/app.ts';
import { isAllowedOrigin } from '#core/http/credential.ts';
import { type Fault, problems } from '#core/problems/problems.ts';

type Allowing = Pick<App['config'], 'publicUrl' | 'allowedOrigins'>;

const MAX_TARGET = 2_048;
const MAX_BASE = 200;
const ABSOLUTE = /^https?:\/\/[^\s\p{Cc}\\]+$/iu;
const PATH = /^\/(?!\/)[^\s\p{Cc}\\]*$/u;

const NOT_ALLOWED =
  'must be an http or https URL of an allowed origin (ALLOWED_ORIGINS), without user information, of at most 2,048 characters once encoded';

/**
 * The URL that a text names, if a browser may be sent there: absolute, or a path where `base` is given. Undefined for
 * every other text.
 */
export function allowedTarget(text: string, allowing: Allowing, base?: string): URL | undefined {
  if (!ABSOLUTE.test(text) && !(base !== undefined && PATH.test(text))) return undefined;
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url || !isAllowedOrigin(url.origin, allowing)) return undefined;
  // A path such as /.//host is an address of its own to whoever reads it without its origin.
  const isPlain = url.username === '' && url.password === '' && !url.pathname.startsWith('//');
  return isPlain && url.href.length <= MAX_TARGET ? url : undefined;
}

/** Where a login ends. `r` is kept as it was given, and only where it says something else than `c`. */
export type LoginTargets = { c: string; r?: string; base?: string };

/** Reads `c`, `r` and `base` of a login. Throws 400 with a fault for each that cannot be taken. */
export function loginTargets(query: LoginQuery, config: Allowing & Pick<App['config'], 'development'>): LoginTargets {
  const c = allowedTarget(query.c, config);
  const r = query.r === undefined ? undefined : allowedTarget(query.r, config, c?.href ?? config.publicUrl);
  const faults: Fault[] = [];
  if (!c) faults.push({ pointer: '/query/c', detail: NOT_ALLOWED });
  if (query.r !== undefined && !r) faults.push({ pointer: '/query/r', detail: `${NOT_ALLOWED}, or a path` });
  const baseFault = query.base === undefined ? undefined : faultOfBase(query.base, config);
  if (baseFault !== undefined) faults.push({ pointer: '/query/base', detail: baseFault });
  if (!c || faults.length > 0) throw problems.invalid(faults);
  return {
    c: c.href,
    ...(query.r === undefined || r?.href === c.href ? {} : { r: query.r }),
    ...(query.base === undefined ? {} : { base: query.base }),
  };
}

/** The path of a base becomes the path of a cookie, so it is plain. */
function faultOfBase(text: string, config: Allowing & Pick<App['config'], 'development'>): string | undefined {
  if (!config.development) return 'is honoured in development mode only (DEVELOPMENT)';
  const url = allowedTarget(text, config);
  const isPlain = url && url.search === '' && url.hash === '' && /^[\w./~-]*$/.test(url.pathname);
  if (isPlain && url.href.length <= MAX_BASE) return undefined;
  return `must be a URL of an allowed origin (ALLOWED_ORIGINS) without a query, of at most ${MAX_BASE} characters`;
}

/** Where a connection ends: the URL of `r`, a path being one of ours, or the fault of it. */
export function connectTarget(r: string, config: Allowing): { target?: string; fault?: Fault } {
  const url = allowedTarget(r, config, config.publicUrl);
  return url ? { target: url.href } : { fault: { pointer: '/query/r', detail: `${NOT_ALLOWED}, or a path` } };
}

/** The outcome of a journey in the query of the URL at which it ends. */
export type Outcome = { r?: string; status?: 'success' | 'error'; error?: string };

/**
 * A URL with an outcome in its query. The rest of the query stays to the letter, but for `status` and `error` of an
 * earlier journey and what the outcome says anew.
 */
export function withOutcome(target: string, outcome: Outcome): string {
  const url = new URL(target);
  const told = new Set(['status', 'error', ...Object.keys(outcome)]);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((piece) => piece !== '' && ![...new URLSearchParams(piece).keys()].some((name) => told.has(name)));
  const added = new URLSearchParams(outcome).toString();
  url.search = [...kept, ...(added === '' ? [] : [added])].join('&');
  return url.href;
}

/** The characters of an error code (RFC 6749 section 4.1.2.1). */
const ERROR_CODE = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/;
const MAX_ERROR_CODE = 100;

/** The error code of a provider as it is passed on: cut, and another one in its place where it is none. */
export const passedOn = (error: string): string =>
  ERROR_CODE.test(error) ? error.slice(0, MAX_ERROR_CODE) : 'provider_error';
