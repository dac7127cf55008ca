/**
 * Asks before a page is left with values that are not stored. Each form records the values that are stored in its attribute
 * `data-stored`, so that the comparison survives every change of the page: a page that was rendered from typed values
 * keeps what was recorded before.
 */
import { keepsAnswers } from './kept-answers.ts';
import { typeInOwnZone } from './local-time.ts';

/** The forms whose values can be lost. Others only try something out or confirm, or save by themselves. */
const KEEPABLE = 'main form[method="post"]:not([data-disposable], [data-autosave])';
/** What is recorded where nothing is known to be stored. */
const NOTHING = '[]';

/**
 * Returns what a form would send, as text, without empty values, which are no work, and with the fields whose values are
 * half typed, such as a date without its year: these would be sent as empty.
 */
export function readValues(form: HTMLFormElement): string {
  const values = [...new FormData(form)].map(([name, value]) =>
    typeof value === 'string' ? [name, value] : [name, value.name, value.size],
  );
  const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement);
  const halfTyped = fields.flatMap(({ name, validity }) => (validity.badInput ? [[name]] : []));
  return JSON.stringify([...values.filter(([, value]) => value !== ''), ...halfTyped]);
}

/** Records what is stored for the forms of a page, which are the values with which the service has rendered them. */
export function recordStored(page: Document): void {
  typeInOwnZone(page);
  for (const form of page.querySelectorAll<HTMLFormElement>('main form')) {
    const rendered = form.cloneNode(true);
    if (!(rendered instanceof HTMLFormElement)) continue;
    // The browser may have restored what was typed before the page was loaded again.
    rendered.reset();
    form.dataset.stored = readValues(rendered);
  }
}

/** Whether a form has values that are not stored. A form that was sent is on its way to be. */
export const isUnsaved = (form: HTMLFormElement): boolean =>
  form.dataset.stored !== undefined && form.dataset.sent === undefined && readValues(form) !== form.dataset.stored;

/** Whether leaving the page would lose something. */
export const hasUnsaved = (): boolean => [...document.querySelectorAll<HTMLFormElement>(KEEPABLE)].some(isUnsaved);

/** Marks a form whose values are sent by leaving the page. */
export function markSent(form: HTMLFormElement): void {
  form.dataset.sent = '';
}

/** Asks before the page is left, however that happens: only the browser can, and it covers the closing of the tab. */
export function askBeforeLeaving(): void {
  recordStored(document);
  recordTyped();
  // After the listeners of the document, which may send the form in another way.
  addEventListener('submit', ({ defaultPrevented, target }) => {
    if (!defaultPrevented && target instanceof HTMLFormElement) markSent(target);
  });
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved() || (isSigningOut() && keepsAnswers())) event.preventDefault();
    // If the person stays, nothing was sent.
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent;
  });
}

/** Signing out removes the answers that are kept on the device until they are stored. */
const isSigningOut = (): boolean => document.querySelector('form[action="/sign-out"][data-sent]') !== null;

/** Of a page that the service has rendered from a posted form, nothing of that form is known to be stored. */
function recordTyped(): void {
  if (!document.querySelector('main[data-posted]')) return;
  const forms = [...document.querySelectorAll<HTMLFormElement>(KEEPABLE)];
  const typed = forms.find(({ action }) => new URL(action).pathname === location.pathname) ?? forms[0];
  if (typed) typed.dataset.stored = NOTHING;
}
