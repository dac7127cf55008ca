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

/** A link after a text. */
export type TextLink = { href: string; text: string };

/** Fills an element with a text and, if there is one, a link; `newTab` keeps the page with what was typed. */
export function showText(element: Element, text: string, link?: TextLink & { newTab?: boolean }): void {
  if (!link) {
    element.textContent = text;
    return;
  }
  const anchor = document.createElement('a');
  Object.assign(anchor, { href: link.href, textContent: link.text });
  if (link.newTab) anchor.target = '_blank';
  element.replaceChildren(text, ' ', anchor);
}

/** Shows a state. It is announced when it is bad, at the first save, and when saving works again. */
export function showState(text: string, tone: Tone, link?: Parameters<typeof showText>[2]): void {
  const line = document.querySelector<HTMLElement>('[data-save-state]');
  if (!line) return;
  showText(line, text, link);
  line.dataset.tone = tone === 'bad' ? 'bad' : 'good';
  if (tone === 'busy') return;
  const isNews = tone === 'bad' ? text !== lastText : lastAnnounced !== 'good';
  lastText = text;
  lastAnnounced = tone;
  if (isNews) announce(line.textContent ?? '');
}
