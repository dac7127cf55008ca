/**
 * The buttons that leave a section. A press shows at once that it is under way, and opens the next page when everything is
 * stored. If that is not possible, the page stays and says why.
 */
import { announce } from './announce.ts';
import { responsePath } from './kept-answers.ts';
import { findHalfTypedDates, findQuestion, findQuestionId } from './question.ts';
import { showError } from './question-error.ts';
import { type Saver, saveNow } from './saver.ts';
import { markSent } from './unsaved.ts';
import type { Uploads } from './uploads.ts';

type Leaving = {
  saver: Saver;
  uploads: Uploads;
  /** The pressed button, while it waits. */
  pressed: HTMLButtonElement | undefined;
  /** When the browser began to load the next page, in milliseconds of the page. */
  leftAt: number;
};

/** Presses within this time, in milliseconds, are one: a double click. */
const DOUBLE_CLICK_MS = 1_000;

/** Leaving the response waits for the last answers no longer than this, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/** Delays every press until everything is saved. */
export function leaveWhenStored(saver: Saver, uploads: Uploads): void {
  const leaving: Leaving = { saver, uploads, pressed: undefined, leftAt: Number.NEGATIVE_INFINITY };
  saver.form.addEventListener('submit', (event) => handlePress(leaving, event));
  document.addEventListener('submit', (event) => void leaveByForm(saver, event));
  document.addEventListener('click', (event) => void leaveByLink(saver, event));
  addEventListener('online', () => settle(leaving));
  saver.onSettled = () => settle(leaving);
  uploads.onSettled = () => settle(leaving);
  addEventListener('beforeunload', (event) => {
    // Half a date has no value that could be saved or kept.
    const isHalfTyped = findHalfTypedDates(saver.form).length > 0;
    if (uploads.isBusy() || !saver.isKept || isHalfTyped) event.preventDefault();
  });
}

/**
 * Saves before a form of another page is sent. Signing out ends the session, with which what is kept on the device goes: of what
 * is left then, the browser asks.
 */
async function leaveByForm(saver: Saver, event: SubmitEvent): Promise<void> {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form === saver.form || event.defaultPrevented) return;
  if (isAllSent(saver)) return;
  event.preventDefault();
  await saveBeforeLeaving(saver, submitter);
  markSent(form);
  if (submitter instanceof HTMLButtonElement && submitter.name !== '') appendHidden(form, submitter);
  form.submit();
}

/** Saves before a link is followed in the same tab. */
async function leaveByLink(saver: Saver, event: MouseEvent): Promise<void> {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || link.target !== '' || isElsewhere || event.defaultPrevented || isAllSent(saver)) return;
  if (link.origin !== location.origin || link.pathname === location.pathname) return;
  event.preventDefault();
  await saveBeforeLeaving(saver, link);
  location.assign(link.href);
}

const isAllSent = ({ changed, pending }: Saver): boolean => changed.size + pending === 0;

async function saveBeforeLeaving(saver: Saver, pressed: HTMLElement | null): Promise<void> {
  pressed?.setAttribute('aria-busy', 'true');
  await Promise.race([saveNow(saver), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
  pressed?.removeAttribute('aria-busy');
}

function handlePress(leaving: Leaving, event: SubmitEvent): void {
  const { saver } = leaving;
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : undefined;
  if (event.timeStamp - leaving.leftAt < DOUBLE_CLICK_MS) {
    event.preventDefault();
    return;
  }
  showRefusal(saver.form, undefined);
  if (isStored(leaving) && !findBlocker(leaving) && navigator.onLine) {
    leaving.leftAt = event.timeStamp;
    showBusy(leaving, button, saver.texts.saving);
    // The page has said already that these are not saved.
    for (const [id, mark] of saver.marked) if (mark === 'removed') disable(findQuestion(saver.form, id));
    return;
  }
  event.preventDefault();
  showBusy(leaving, button, waitingText(saver));
  leaving.pressed = button;
  void saveNow(saver);
}

const waitingText = ({ texts }: Saver): string => (navigator.onLine ? texts.waiting : texts.waitingOffline) ?? '';

const isStored = ({ saver, uploads }: Leaving): boolean =>
  saver.changed.size === 0 && saver.pending === 0 && !uploads.isBusy();

/** Opens the next page, waits, or gives up, after a request or an upload has ended. */
function settle(leaving: Leaving): void {
  const { saver, uploads, pressed } = leaving;
  if (!pressed) return;
  if (uploads.isBusy()) {
    showBusy(leaving, pressed, saver.texts.busyUploading);
    return;
  }
  showBusy(leaving, pressed, waitingText(saver));
  if (saver.pending > 0 || !navigator.onLine) return;
  if (saver.changed.size > 0 && saver.outcome !== 'refused') {
    if (saver.outcome === 'saved') void saveNow(saver);
    else if (saver.isSignedOut) showRefusal(saver.form, readSaveState());
    return;
  }
  leaving.pressed = undefined;
  showBusy(leaving, undefined, undefined);
  const blocker = findBlocker(leaving);
  if (saver.changed.size > 0 && saver.isOffPath) location.assign(responsePath());
  else if (saver.changed.size > 0 && saver.form.querySelector('.invalid')) submitWithoutScripts(saver.form, pressed);
  else if (saver.changed.size > 0) showRefusal(saver.form, readSaveState());
  else if (blocker) {
    showRefusal(saver.form, blocker.text);
    announce(blocker.text);
    blocker.target.focus();
  } else saver.form.requestSubmit(pressed);
}

/** Sends the form as without scripts: the returned page lists the errors and what can be done. */
function submitWithoutScripts(form: HTMLFormElement, button: HTMLButtonElement): void {
  appendHidden(form, button);
  form.submit();
}

/** Adds a field with the name and the value of a button. */
function appendHidden(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const action = document.createElement('input');
  Object.assign(action, { type: 'hidden', name, value });
  form.append(action);
}

/** Finds what the respondent has to do before they can leave the section. */
function findBlocker({ saver, uploads }: Leaving): { target: HTMLElement; text: string } | undefined {
  const { form, texts } = saver;
  const choice = form.querySelector<HTMLElement>('[data-conflict] button');
  if (choice) return { target: choice, text: texts.choose ?? '' };
  const [date] = findHalfTypedDates(form);
  if (date) {
    showError(form, findQuestionId(date) ?? '', texts.badDate);
    return { target: date, text: texts.badDate ?? '' };
  }
  const failed = uploads.findFailed();
  return failed ? { target: failed, text: texts.uploadFirst ?? '' } : undefined;
}

/** Shows a text on the button that waits, or on Continue when Enter was pressed; its own text on all others. */
function showBusy(
  { saver: { form } }: Leaving,
  pressed: HTMLButtonElement | undefined,
  text: string | undefined,
): void {
  const nextButton = form.querySelector<HTMLButtonElement>('.section-actions [value="next"]');
  const busyButton = pressed?.classList.contains('visually-hidden') ? nextButton : pressed;
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-label]')) {
    if (button === busyButton) continue;
    button.textContent = button.dataset.label ?? '';
    delete button.dataset.label;
    button.removeAttribute('aria-busy');
  }
  if (!busyButton || text === undefined) return;
  busyButton.dataset.label ??= busyButton.textContent ?? '';
  if (busyButton.textContent === text) return;
  busyButton.textContent = text;
  busyButton.setAttribute('aria-busy', 'true');
  announce(text);
}

/** Copies what the line at the top says, with its link. */
const readSaveState = (): DocumentFragment => {
  const copy = document.createDocumentFragment();
  copy.append(...(document.querySelector('[data-save-state]')?.cloneNode(true).childNodes ?? []));
  return copy;
};

/** Shows above the buttons why a press did not open the next page; without a reason, removes the message. */
function showRefusal(form: HTMLFormElement, reason: DocumentFragment | string | undefined): void {
  const existingLine = form.querySelector('[data-press-result]');
  if (reason === undefined) {
    existingLine?.remove();
    return;
  }
  const line = existingLine ?? document.createElement('p');
  line.className = 'error';
  line.setAttribute('data-press-result', '');
  line.replaceChildren(reason);
  form.querySelector('.section-actions')?.before(line);
}

function disable(question: HTMLElement | null): void {
  for (const control of question?.querySelectorAll('input, select, textarea') ?? [])
    control.setAttribute('disabled', '');
}
