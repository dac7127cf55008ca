/**
 * The pages of authors and organizers change in place: a form is sent by a request, and what the next page shows replaces
 * the content, so that the focus, the scroll position and what was typed into other forms stay. Whatever is not the same
 * page again opens as it does without scripts.
 */
import { type ConfigCallbacks, Idiomorph } from 'idiomorph';
import { closeDialog, openDialogs, replaceDialog } from './dialog.ts';
import { hideMessage, showFailure } from './failure.ts';
import { fetchPage, isSameLayout, parsePage } from './next-page.ts';
import { PAGE_CHANGE } from './page-change.ts';
import { isUnsaved, markSent, readValues, recordStored } from './unsaved.ts';

/** After this long a request has failed. */
const TIMEOUT_MS = 30_000;
/** The parts of a page that the next one replaces. */
const PARTS = ['.site-header', 'main'];

/** A form that was sent with its values, and the pressed button. */
type Sent = { form: HTMLFormElement; button: HTMLElement | null; values: string };

let isSending = false;
/** The fields that have changed since the form was sent. */
const typedSince = new Set<unknown>();

openDialogs();
document.addEventListener('input', ({ target }) => typedSince.add(target));
document.addEventListener('submit', (event) => {
  const { target: form, submitter: button } = event;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (!canSendInPlace(form, button)) return;
  event.preventDefault();
  if (!isSending) void send({ form, button, values: readValues(form) });
});

/** Files are sent by the browser, which can show how far they are. */
function canSendInPlace(form: HTMLFormElement, button: HTMLElement | null): boolean {
  const method = button?.getAttribute('formmethod') ?? form.getAttribute('method');
  return method === 'post' && form.closest('main, dialog') !== null && !form.querySelector('input[type="file"]');
}

async function send(sent: Sent): Promise<void> {
  isSending = true;
  sent.button?.setAttribute('aria-busy', 'true');
  typedSince.clear();
  const response = await post(sent).catch(() => undefined);
  if (response) await follow(sent, response).catch(() => sendAgain(sent));
  else showFailure();
  isSending = false;
  sent.button?.removeAttribute('aria-busy');
  document.dispatchEvent(new Event(PAGE_CHANGE));
}

function post({ form, button }: Sent): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
  const headers = { accept: 'application/json, text/html' };
  return fetch(readAddress(form, button), {
    method: 'POST',
    body,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

const readAddress = (form: HTMLFormElement, button: HTMLElement | null): string =>
  button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';

/** Shows the page with which the service responds, or to which it leads. */
async function follow(sent: Sent, response: Response): Promise<void> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (isPage) {
    const page = parsePage(await response.text());
    const { hash } = new URL(readAddress(sent.form, sent.button), location.href);
    const isShown = sent.form.closest('dialog')
      ? replaceDialog(page)
      : isSameLayout(page) && show(page, sent, { hash, isTyped: true });
    if (!isShown) sendAgain(sent);
    return;
  }
  const { location: next, refusal } = await response.json().catch(() => ({}));
  if (typeof next === 'string') await open(new URL(next, location.href), sent);
  else if (typeof refusal === 'string') showFailure(refusal);
  else sendAgain(sent);
}

/** Opens the page to which the service leads after it has stored the form: in place if it is this one. */
async function open(next: URL, sent: Sent): Promise<void> {
  sent.form.dataset.stored = sent.values;
  // A page can also show what is at another address.
  if (next.pathname === document.querySelector<HTMLElement>('[data-also]')?.dataset.also) {
    next.pathname = location.pathname;
    const section = new URLSearchParams(location.search).get('s');
    if (section !== null) next.searchParams.set('s', section);
  }
  if (next.pathname !== location.pathname) {
    location.assign(next);
    return;
  }
  const page = await fetchPage(next);
  history.replaceState(history.state, '', next);
  if (page && isSameLayout(page)) show(page, sent, { hash: next.hash, isTyped: false });
  else location.reload();
}

/** Sends a form as without scripts, for a page of its own, which keeps what was typed. */
function sendAgain({ form, button }: Sent): void {
  const action = document.createElement('input');
  Object.assign(action, {
    type: 'hidden',
    name: button?.getAttribute('name') ?? '',
    value: button?.getAttribute('value'),
  });
  form.append(action);
  form.setAttribute('action', readAddress(form, button));
  markSent(form);
  HTMLFormElement.prototype.submit.call(form);
}

/**
 * Replaces the content by that of a page. What was typed and not sent stays. On a page that the service has rendered from
 * the sent form, `isTyped`, the same is stored for it as before.
 */
function show(page: Document, sent: Sent, { hash, isTyped }: { hash: string; isTyped: boolean }): true {
  closeDialog();
  hideMessage();
  document.title = page.title;
  nameForms(document);
  nameForms(page);
  recordStored(page);
  // A form may have a field with the name `id`.
  const shownAgain = isTyped ? page.getElementById(sent.form.getAttribute('id') ?? '') : null;
  if (shownAgain) shownAgain.dataset.stored = sent.form.dataset.stored ?? '';
  for (const part of PARTS) {
    const [shown, next] = [document.querySelector(part), page.querySelector(part)];
    if (shown && next) Idiomorph.morph(shown, next, { callbacks: keepTyped(sent.form) });
  }
  moveFocus(sent, hash);
  return true;
}

/** Gives the first form of each action an id by it, so that it is found again wherever it is on the next page. */
function nameForms(page: Document): void {
  const names = new Set<string>();
  for (const form of page.querySelectorAll('main form:not([id])')) {
    const name = `form:${form.getAttribute('action')}`;
    if (!names.has(name)) form.setAttribute('id', name);
    names.add(name);
  }
}

const keepTyped = (sentForm: HTMLFormElement): ConfigCallbacks => ({
  // What scripts have opened within the page stays open.
  beforeNodeRemoved: (node) =>
    !(node instanceof HTMLElement && (node.dataset.keep !== undefined || node.dataset.new !== undefined)),
  beforeNodeMorphed: (node) =>
    !typedSince.has(node) && !(node instanceof HTMLFormElement && node !== sentForm && isUnsaved(node)),
  // What a person has unfolded stays so.
  beforeAttributeUpdated: (name, element, change) =>
    !(name === 'open' && change === 'remove' && !element.classList.contains('menu')),
});

/** Moves the focus to what has changed; else it stays, on the pressed button if that was moved. Errors take it afterwards. */
function moveFocus({ button }: Sent, hash: string): void {
  const main = document.querySelector('main');
  const changed =
    hash === '' ? main?.querySelector<HTMLElement>('[autofocus]') : document.getElementById(hash.slice(1));
  const pressed = findAgain(main, button);
  if (pressed && !hasFocus(main)) pressed.focus({ preventScroll: true });
  if (changed && !hasFocus(changed)) {
    changed.focus({ preventScroll: true });
    changed.scrollIntoView({ block: 'nearest' });
  }
  if (!hasFocus(main)) main?.focus({ preventScroll: true });
}

/** A button that can no longer be pressed loses the focus soon. */
const hasFocus = (element: HTMLElement | null): boolean =>
  element?.contains(document.activeElement) === true && !document.activeElement?.matches(':disabled');

/** Finds the pressed button, or the one that does the same now. */
const findAgain = (main: HTMLElement | null, button: HTMLElement | null): HTMLElement | undefined =>
  [...(main?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])].find(
    ({ name, value, tabIndex }) =>
      tabIndex === 0 && name === button?.getAttribute('name') && value === button?.getAttribute('value'),
  );
