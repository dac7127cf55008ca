/**
 * The scripts of all pages. They only improve what works without them; each looks for the elements that it improves.
 */
import { saveAutomatically } from './autosave.ts';
import { checkAll } from './check-all.ts';
import { keepLive } from './live.ts';
import { showLocalTimes } from './local-times.ts';
import { rankInPlace } from './ranking.ts';
import { uploadDirectly } from './uploads.ts';

showLocalTimes();
checkAll();
keepLive(showLocalTimes);
focusErrors();
submitOnce();
const form = document.querySelector<HTMLFormElement>('form[data-autosave]');
if (form) {
  const texts = JSON.parse(form.dataset.texts ?? '{}');
  rankInPlace(form, texts);
  saveAutomatically(form, texts, uploadDirectly(form, texts));
}

/** The summary of errors takes the focus, so that it is read first. */
function focusErrors(): void {
  document.querySelector<HTMLElement>('[data-error-summary]')?.focus();
}

/** A form that is sent once: a second click does nothing while the first one is under way. */
function submitOnce(): void {
  for (const once of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
    let isSent = false;
    once.addEventListener('submit', (event) => {
      if (isSent) event.preventDefault();
      isSent = true;
    });
    // A page that comes back from the cache of the browser can be sent again.
    addEventListener('pageshow', () => {
      isSent = false;
    });
  }
}
