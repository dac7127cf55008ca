/** The line that says whether everything is saved. */
import { announce } from './announce.ts';

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
