/** Offers kept answers that the page has no controls for: their text can be copied, or discarded. */
import { discardEntry, isKept, type KeptEntry } from './kept-answers.ts';

/** Shows the notice while there is anything to offer; an answer that another tab saves meanwhile leaves it. */
export function offerKept(entries: readonly KeptEntry[]): void {
  const notice = document.querySelector<HTMLElement>('[data-kept]');
  if (!notice) return;
  const update = (): void => {
    const remaining = entries.filter(isKept);
    notice.querySelector('dl')?.replaceChildren(...remaining.flatMap(renderEntry));
    notice.hidden = remaining.length === 0;
  };
  notice.querySelector('[data-discard]')?.addEventListener('click', () => {
    for (const entry of entries) discardEntry(entry);
    update();
    document.querySelector('main')?.focus();
  });
  addEventListener('storage', update);
  update();
}

/** Renders the question, with a link to the section where it may still be answered, and the answer. */
function renderEntry({ questionId, answer }: KeptEntry): HTMLElement[] {
  const { section, title, text, removed } = answer;
  const [term, description] = [document.createElement('dt'), document.createElement('dd')];
  if (removed || section === location.pathname) term.textContent = title;
  else {
    const link = document.createElement('a');
    link.href = `${section}#q-${questionId}`;
    link.textContent = title;
    term.append(link);
  }
  for (const element of [term, description]) element.dir = 'auto';
  description.className = 'pre-line';
  description.textContent = text;
  return [term, description];
}
