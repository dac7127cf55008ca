/** Forms name the zone of the browser, for times in mails that follow from them. */

export function nameOwnZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) field.value = timeZone ?? '';
}
