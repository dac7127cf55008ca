/**
 * The scripts of all pages. They only improve what works without them; each looks for the elements that it improves.
 */
import { convertCovers } from './cover.ts';
import { handleButtons, refreshWhilePending, showButtons, showLocalTimes } from './enhancements.ts';
import { dismissFlash, showFlash } from './flash.ts';
import { showLooks, showPalette } from './look.ts';
import { handleMarkdown, handleNames, showToolbars } from './markdown.ts';
import { closeMenus } from './menu.ts';
import { orderInPlace } from './order.ts';
import { nameOwnZone } from './own-zone.ts';
import { PAGE_CHANGE } from './page-change.ts';
import { keepPrefill } from './prefill.ts';
import { checkSlugs } from './slug.ts';
import { askBeforeLeaving } from './unsaved.ts';

reloadRestoredPage();
closeMenus();
handleButtons();
handleMarkdown();
handleNames();
convertCovers();
keepPrefill();
checkSlugs();
showLooks();
dismissFlash();
showCurrentTabs();
improve();
keepHalfTyped();
askBeforeLeaving();
submitOnce();
// The content was replaced by that of the next page.
document.addEventListener(PAGE_CHANGE, improve);
refreshWhilePending(showLocalTimes);

/** Improves the content of the page; can be repeated. */
function improve(): void {
  showLocalTimes();
  showButtons();
  showToolbars();
  showPalette();
  // What one chooses is shown at once.
  for (const button of document.querySelectorAll('[data-sample]')) button.remove();
  orderInPlace();
  showFlash();
  focusErrors();
  nameOwnZone();
}

/** Scrolls rows of tabs that are too long to the one where the reader is. */
function showCurrentTabs(): void {
  for (const tab of document.querySelectorAll<HTMLElement>('.tabs [aria-current]')) {
    const row = tab.closest('nav');
    if (row) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }
}

/**
 * Loads a page again that the browser restores from memory, because its session may have ended; until then it is empty.
 * Answers that were typed and not saved are kept on the device until their owner signs out.
 */
function reloadRestoredPage(): void {
  if (!document.querySelector('form[action="/sign-out"]')) return;
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    document.body.replaceChildren();
    location.replace(location.pathname + location.search);
  });
}

/** Moves the focus to the summary of errors, so that it is read first. */
function focusErrors(): void {
  document.querySelector<HTMLElement>('[data-error-summary]')?.focus();
}

/**
 * Does not send a form with a field that is half typed, such as a date without its year, which would be sent as empty: the
 * browser says at the field what is missing. Answers of respondents have messages of their own.
 */
function keepHalfTyped(): void {
  const handleSubmit = (event: SubmitEvent): void => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || form.dataset.autosave !== undefined) return;
    const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement);
    const halfTyped = fields.find(({ validity }) => validity.badInput);
    if (!halfTyped) return;
    event.preventDefault();
    halfTyped.reportValidity();
  };
  // Before all other listeners, which send the form.
  document.addEventListener('submit', handleSubmit, { capture: true });
}

/** Sends a form only once: a second click does nothing while the first one is under way. */
function submitOnce(): void {
  let sent = new WeakSet<EventTarget>();
  document.addEventListener('submit', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || target.dataset.once === undefined) return;
    if (sent.has(target)) event.preventDefault();
    sent.add(target);
  });
  const forget = (): void => {
    sent = new WeakSet();
  };
  // A page that comes back from the cache of the browser, one that was updated in place, and one on which the person stays
  // when they are asked, can be sent again.
  addEventListener('pageshow', forget);
  addEventListener('beforeunload', ({ defaultPrevented }) => {
    if (defaultPrevented) forget();
  });
  document.addEventListener(PAGE_CHANGE, forget);
}
