/**
 * The scripts of all pages. They only improve what works without them; each looks for the elements that it improves.
 */
import { prepareAnnouncer } from './announce.ts';
import { saveAutomatically } from './autosave.ts';
import { convertCovers } from './cover.ts';
import { checkAll, offerCopies, refreshWhilePending, showLocalTimes } from './enhancements.ts';
import { readKeptEntries } from './kept-answers.ts';
import { offerKept } from './kept-notice.ts';
import { leaveWhenStored } from './leaving.ts';
import { showLooks } from './look.ts';
import { offerMarkdown } from './markdown.ts';
import { closeMenus } from './menu.ts';
import { orderInPlace } from './order.ts';
import { keepPrefill } from './prefill.ts';
import { rankInPlace } from './ranking.ts';
import { createSaver } from './saver.ts';
import { checkSlugs } from './slug.ts';
import { uploadDirectly } from './uploads.ts';

reloadRestoredPage();
showLocalTimes();
checkAll();
closeMenus();
offerCopies();
convertCovers();
keepPrefill();
checkSlugs();
showLooks();
offerMarkdown();
orderInPlace();
refreshWhilePending(showLocalTimes);
focusErrors();
submitOnce();
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
  for (const onceForm of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
    let isSent = false;
    onceForm.addEventListener('submit', (event) => {
      if (isSent) event.preventDefault();
      isSent = true;
    });
    // A page that comes back from the cache of the browser can be sent again.
    addEventListener('pageshow', () => {
      isSent = false;
    });
  }
}
