/** A live region for people who do not see the page: it says what they must know and nothing else. */

/** Announces a text. The region has to exist before its text changes: `prepareAnnouncer` adds it. */
export function announce(text: string): void {
  prepareAnnouncer().textContent = text;
}

/** Adds the region, once. */
export function prepareAnnouncer(): HTMLElement {
  const existing = document.querySelector<HTMLElement>('[data-announcer]');
  if (existing) return existing;
  const region = document.createElement('p');
  region.className = 'visually-hidden';
  region.dataset.announcer = '';
  region.setAttribute('role', 'status');
  document.body.append(region);
  return region;
}
