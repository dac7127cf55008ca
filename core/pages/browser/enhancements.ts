/**
 * Buttons that need scripts, and are hidden without them: they check or uncheck all boxes of a field at once, copy a link,
 * or print the page.
 */
import { announce, prepareAnnouncer } from './announce.ts';

/** Handles clicks on these buttons. */
export function handleButtons(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const { check, copy, copied, notCopied, print: prints } = button?.dataset ?? {};
    if (check !== undefined) {
      const boxes = button?.closest('fieldset')?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [];
      for (const box of boxes) box.checked = check === 'on';
    }
    if (prints !== undefined) print();
    if (!button || copy === undefined) return;
    // The person or the page that embeds this one may have forbidden it.
    const isCopied = await navigator.clipboard.writeText(copy).then(
      () => true,
      () => false,
    );
    button.textContent = (isCopied ? copied : notCopied) ?? '';
    announce(button.textContent);
  });
}

export function showButtons(): void {
  // Only secure origins have a clipboard.
  const copy = 'clipboard' in navigator ? ', button[data-copy]' : '';
  const buttons = document.querySelectorAll<HTMLElement>(`[data-check-all], button[data-print]${copy}`);
  for (const button of buttons) button.hidden = false;
  if (document.querySelector('button[data-copy]')) prepareAnnouncer();
}

// Times in the zone of the reader, in place of those in the configured zone.

/** Rewrites every time element. */
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
}

// Parts of a page that update themselves while something is under way, such as the progress of an export.

/**
 * Refreshes `[data-live]` every few seconds, as long as it has `data-pending`; `improve` receives the new content. A failed
 * request is repeated; a page that has nothing of the kind any more, or leads elsewhere by now, is loaded again.
 */
export function refreshWhilePending(improve: (region: HTMLElement) => void): void {
  const region = document.querySelector<HTMLElement>('[data-live][data-pending]');
  if (region) setTimeout(() => void update(region, improve), Number(region.dataset.pending) * 1_000);
}

async function update(region: HTMLElement, improve: (region: HTMLElement) => void): Promise<void> {
  const freshPage = await fetchPage().catch(() => undefined);
  const freshRegion = freshPage?.querySelector<HTMLElement>('[data-live]');
  if (freshPage && freshRegion) {
    region.replaceChildren(...freshRegion.childNodes);
    document.title = freshPage.title;
    if (freshRegion.dataset.pending === undefined) delete region.dataset.pending;
    improve(region);
  } else if (freshPage) {
    location.reload();
    return;
  }
  refreshWhilePending(improve);
}

async function fetchPage(): Promise<Document | undefined> {
  const response = await fetch(location.href);
  if (!response.ok) return undefined;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
