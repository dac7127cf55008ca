/** The language of a page: chosen by the reader (a cookie), else the best match of `Accept-Language`, else English. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { cookie, header } from '#core/http/request.ts';
import { type CookieSettings, setCookie } from '#core/identity/cookies.ts';
import { acceptedLanguage, LANGUAGES, type Language } from '#core/schema/language.ts';

const LANGUAGE_COOKIE = 'language';
const YEAR_SECONDS = 365 * 86_400;

export const isLanguage = (text: string | undefined): text is Language => LANGUAGES.some((each) => each === text);

/** The language for a request. */
export function languageOf(event: APIGatewayProxyEventV2): Language {
  const chosen = cookie(event, LANGUAGE_COOKIE);
  return isLanguage(chosen) ? chosen : (acceptedLanguage(header(event, 'accept-language') ?? '') ?? 'en');
}

/** The cookie that keeps a chosen language. */
export const languageCookie = (settings: CookieSettings, language: Language): string =>
  setCookie(settings, { name: LANGUAGE_COOKIE, value: language, maxAgeSeconds: YEAR_SECONDS });
