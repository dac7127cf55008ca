/** A live region for people who do not see the page: it announces only what they must know. */

/** Announces a text. Screen readers require that the region exists before its text changes: see `prepareAnnouncer`. */
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

// The line that says whether everything is saved.

/** `busy` while a request is under way, `bad` when something is not saved. */
export type Tone = 'good' | 'busy' | 'bad';

let lastAnnounced: Tone | undefined;
let lastText = '';

/** Shows a state. It is announced when it is bad, at the first save, and when saving works again. */
export function showState(text: string, tone: Tone): void {
  const line = document.querySelector<HTMLElement>('[data-save-state]');
  if (!line) return;
  line.textContent = text;
  line.dataset.tone = tone === 'bad' ? 'bad' : 'good';
  if (tone === 'busy') return;
  const isNews = tone === 'bad' ? text !== lastText : lastAnnounced !== 'good';
  lastText = text;
  lastAnnounced = tone;
  if (isNews) announce(text);
}
