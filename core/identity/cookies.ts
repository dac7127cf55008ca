/** The cookies of sessions and authorization requests. Scripts cannot read them. */
import { stringifySetCookie } from 'cookie';

export type CookieSettings = { secure: boolean; sameSite: 'lax' | 'strict' | 'none'; domain: string | undefined };

type Cookie = { name: string; value: string; maxAgeSeconds: number; path?: string; sameSite?: 'lax' };

/** The `Set-Cookie` value of a cookie; a maximal age of 0 removes it from the browser. */
export function setCookie(settings: CookieSettings, cookie: Cookie): string {
  const { secure, domain } = settings;
  const { name, value, maxAgeSeconds: maxAge, path = '/', sameSite = settings.sameSite } = cookie;
  return stringifySetCookie({
    name,
    value,
    maxAge,
    path,
    httpOnly: true,
    secure,
    sameSite,
    ...(domain ? { domain } : {}),
  });
}
