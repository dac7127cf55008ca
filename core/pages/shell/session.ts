/**
 * The caller of a page: by the access token, or by the refresh token if that has expired. A session is renewed within
 * the request, so that nobody loses what they typed because an hour has passed.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Caller } from '#core/access/access.ts';
import type { App } from '#core/http/app.ts';
import { cookie, credentialCookie, header } from '#core/http/request.ts';
import type { CookieSettings } from '#core/identity/ports.ts';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { renewSession, setCookie } from '#core/identity/sessions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { acceptedLanguage, LANGUAGES, type Language, parseTimeZone } from '#core/schema/format.ts';

export type Session = { caller: Caller | undefined; cookies: readonly string[] };

/**
 * Reads the session of a request, and renews an expired one; `cookies` then has its new cookies. `credential: none` takes
 * a valid access token and nothing else. Throws 401 when a signed-in person is required and there is none; where they are
 * `optional`, because a guest can take their place, there is no caller then.
 */
export async function resolveSession(
  app: App,
  event: APIGatewayProxyEventV2,
  credential: 'none' | 'refresh' | 'user',
  { optional = false }: { optional?: boolean } = {},
): Promise<Session> {
  if (credential === 'none') return { caller: await verifyCaller(app, event).catch(() => undefined), cookies: [] };
  const caller = await verifyCaller(app, event);
  if (caller) return { caller, cookies: [] };
  const refreshToken = credentialCookie(event, REFRESH_COOKIE);
  if (refreshToken === undefined) {
    if (optional) return { caller: undefined, cookies: [] };
    throw problems.unauthorized();
  }
  try {
    return await renewSession(app, refreshToken);
  } catch (error) {
    if (!optional || !(error instanceof Problem) || error.status !== 401) throw error;
    return { caller: undefined, cookies: error.cookies };
  }
}

/** Verifies the access token. Throws 401 if there are several. */
async function verifyCaller(app: App, event: APIGatewayProxyEventV2): Promise<Caller | undefined> {
  const token = credentialCookie(event, ACCESS_COOKIE);
  return token === undefined ? undefined : app.tokens.verify(token, app.now());
}

// The language of a page: chosen by the reader (a cookie), else the best match of `Accept-Language`, else English.

const LANGUAGE_COOKIE = 'language';
/** `core/pages/browser/own-zone.ts` writes it. */
const ZONE_COOKIE = 'zone';
const YEAR_SECONDS = 365 * 86_400;

export const isLanguage = (text: string | undefined): text is Language =>
  LANGUAGES.some((language) => language === text);

/** Reads the language for a request. */
export function readLanguage(event: APIGatewayProxyEventV2): Language {
  const chosen = cookie(event, LANGUAGE_COOKIE);
  return isLanguage(chosen) ? chosen : (acceptedLanguage(header(event, 'accept-language') ?? '') ?? 'en');
}

/**
 * Reads the zone of the reader, which scripts keep in a cookie, for pages on which days are counted; undefined if they did not.
 */
export const readTimeZone = (event: APIGatewayProxyEventV2): string | undefined =>
  parseTimeZone(cookie(event, ZONE_COOKIE) ?? '');

/** Builds the cookie that stores a chosen language. */
export const buildLanguageCookie = (settings: CookieSettings, language: Language): string =>
  setCookie(settings, { name: LANGUAGE_COOKIE, value: language, maxAgeSeconds: YEAR_SECONDS });
