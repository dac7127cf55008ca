/**
 * The scripts of all pages. They only improve what works without them; each looks for the elements that it improves.
 */
import { prepareAnnouncer } from './announce.ts';
import { saveAutomatically } from './autosave.ts';
import { convertCovers } from './cover.ts';
import { handleButtons, refreshWhilePending, showButtons, showLocalTimes } from './enhancements.ts';
import { dismissFlash, showFlash } from './flash.ts';
import { readKeptEntries } from './kept-answers.ts';
import { offerKept } from './kept-notice.ts';
import { leaveWhenStored } from './leaving.ts';
import { showLooks } from './look.ts';
import { handleMarkdown, showToolbars } from './markdown.ts';
import { closeMenus } from './menu.ts';
import { orderInPlace } from './order.ts';
import { PAGE_CHANGE } from './page-change.ts';
import { keepPrefill } from './prefill.ts';
import { rankInPlace } from './ranking.ts';
import { createSaver } from './saver.ts';
import { checkSlugs } from './slug.ts';
import { uploadDirectly } from './uploads.ts';

reloadRestoredPage();
closeMenus();
handleButtons();
handleMarkdown();
convertCovers();
keepPrefill();
checkSlugs();
showLooks();
dismissFlash();
submitOnce();
improve();
// The content was replaced by that of the next page.
document.addEventListener(PAGE_CHANGE, improve);
refreshWhilePending(showLocalTimes);
const form = document.querySelector<HTMLFormElement>('form[data-autosave]');
if (form) {
  const texts = JSON.parse(form.dataset.texts ?? '{}');
  // The server checks the fields, with messages at each of them.
  form.noValidate = true;
  form.dataset.scripts = '';
  prepareAnnouncer();
  rankInPlace(form, texts);
  const saver = createSaver(form, texts);
  saveAutomatically(saver);
  leaveWhenStored(saver, uploadDirectly(form, texts));
} else if (document.querySelector('[data-kept]')) offerKept(readKeptEntries());

/** Improves the content of the page; can be repeated. */
function improve(): void {
  showLocalTimes();
  showButtons();
  showToolbars();
  // What one chooses is shown at once.
  for (const button of document.querySelectorAll('[data-sample]')) button.remove();
  orderInPlace();
  showFlash();
  focusErrors();
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
  // A page that comes back from the cache of the browser, and one that was updated in place, can be sent again.
  addEventListener('pageshow', forget);
  document.addEventListener(PAGE_CHANGE, forget);
}
