/** Times in the zone of the reader, in place of those in the configured zone. */

/** Rewrites every time element, and removes the note that names the configured zone. */
export function showLocalTimes(root: ParentNode = document): void {
  const language = document.documentElement.lang;
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-local-time]')) {
    const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      year: 'numeric',
      month: language === 'en' ? 'short' : 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(element.dataset.localTime === 'zone' && { timeZoneName: 'short' }),
    });
    element.textContent = format.format(new Date(element.dateTime));
  }
  document.querySelector('[data-zone-note]')?.remove();
}
