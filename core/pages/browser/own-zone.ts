/** Forms name the zone of the browser, for times in mails that follow from them; a cookie does, for the days of pages that count them. */
import { findOwnZone } from './local-time.ts';

export function nameOwnZone(): void {
  const zone = findOwnZone() ?? '';
  if (document.querySelector('form[action="/sign-out"]')) {
    const secure = location.protocol === 'https:' ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the cookie store
    document.cookie = `zone=${encodeURIComponent(zone)}; path=/review; max-age=31536000; samesite=lax${secure}`;
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) field.value = zone;
}
