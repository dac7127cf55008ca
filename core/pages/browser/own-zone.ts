/** Forms name the zone of the browser, for times in mails that follow from them. */
import { findOwnZone } from './local-time.ts';

export function nameOwnZone(): void {
  const zone = findOwnZone() ?? '';
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) field.value = zone;
}
