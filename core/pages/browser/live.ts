/** Parts of a page that update themselves while something is under way, such as the progress of an export. */

/**
 * Shows `[data-live]` anew every few seconds, as long as it has `data-pending`; `improve` receives what is new. A failed
 * request is tried again.
 */
export function keepLive(improve: (shown: HTMLElement) => void): void {
  const live = document.querySelector<HTMLElement>('[data-live][data-pending]');
  if (live) setTimeout(() => void update(live, improve), Number(live.dataset.pending) * 1_000);
}

async function update(live: HTMLElement, improve: (shown: HTMLElement) => void): Promise<void> {
  const shown = await fetchPage().catch(() => undefined);
  const next = shown?.querySelector<HTMLElement>('[data-live]');
  if (shown && next) {
    live.replaceChildren(...next.childNodes);
    document.title = shown.title;
    if (next.dataset.pending === undefined) delete live.dataset.pending;
    improve(live);
  }
  keepLive(improve);
}

async function fetchPage(): Promise<Document | undefined> {
  const response = await fetch(location.href);
  if (!response.ok) return undefined;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
