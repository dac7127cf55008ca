/** Fields with times are typed in the zone of the browser: the form names it, and stored times are shown in it. */

/** Prepares the forms of a page. One that was rendered from typed values keeps the zone in which they were typed. */
export function typeInOwnZone(page: Document): void {
  const zone = findOwnZone();
  if (zone === undefined) return;
  for (const field of page.querySelectorAll<HTMLInputElement>('input[data-time-zone][value=""]')) {
    field.defaultValue = zone;
    for (const time of field.form?.querySelectorAll<HTMLInputElement>('input[data-moment]') ?? []) {
      time.defaultValue = toOwnTime(new Date(time.dataset.moment ?? ''));
    }
    for (const name of field.form?.querySelectorAll('[data-zone-name]') ?? []) name.textContent = zone;
  }
}

/** Finds the zone of the browser; undefined if it does not know. */
export function findOwnZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === 'Etc/Unknown' ? undefined : timeZone;
}

/** Formats a moment as the value of a field: `2026-05-01T14:30`. */
const toOwnTime = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
