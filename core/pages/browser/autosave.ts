/**
 * Starts saving a section automatically: restores answers that an earlier load of the page could not save, and records
 * every change.
 */
import { completeTimeOfDay } from '../fields/time-of-day.ts';
import { completeWebAddress } from '../fields/web-address.ts';
import { showState } from './announce.ts';
import { discardEntry, type KeptEntry, readKeptEntries } from './kept-answers.ts';
import { offerKept } from './kept-notice.ts';
import {
  canFill,
  fillQuestion,
  findHalfTypedDates,
  findQuestion,
  findQuestionId,
  readFields,
  SAVE_NOW,
} from './question.ts';
import { showError } from './question-error.ts';
import { keepUnsaved, type Saver, saveNow, schedule, sendChoice } from './saver.ts';

/** Saves the form of the saver automatically. */
export function saveAutomatically(saver: Saver): void {
  const { form, texts } = saver;
  restore(saver);
  // A page with errors answers a POST, which a browser asks to send again when somebody goes back to it. Its address shows the section.
  history.replaceState(history.state, '', location.href);
  form.addEventListener('change', completeTyped);
  for (const type of ['input', 'change']) form.addEventListener(type, (event) => recordChange(saver, event));
  form.addEventListener('input', chooseOther);
  form.addEventListener('focusout', ({ target }) => {
    const [date] = target instanceof Element && target.matches('input[type="date"]') ? findHalfTypedDates(form) : [];
    if (date) showError(form, findQuestionId(date) ?? '', texts.badDate);
  });
  form.addEventListener('click', (event) => resolveConflict(saver, event));
  for (const type of ['online', 'offline']) addEventListener(type, () => schedule(saver, 0));
  form.addEventListener(SAVE_NOW, () => schedule(saver, 0));
  addEventListener('pagehide', () => void saveNow(saver, { keepalive: true }));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void saveNow(saver, { keepalive: true });
    else schedule(saver, 0);
  });
}

/** Restores kept answers into their controls and saves them; answers without a control are offered to copy. */
function restore(saver: Saver): void {
  const { form, texts, changed } = saver;
  const offered: KeptEntry[] = [];
  // Newest first: of two answers to a question, the older one is offered.
  for (const entry of readKeptEntries().reverse()) {
    const { questionId, answer } = entry;
    if (changed.has(questionId) || !canFill(form, questionId, answer)) {
      offered.push(entry);
      continue;
    }
    fillQuestion(form, questionId, answer);
    changed.add(questionId);
    discardEntry(entry);
  }
  offerKept(offered.reverse());
  if (changed.size === 0) return;
  keepUnsaved(saver);
  showState(texts.restored ?? '', 'good');
  schedule(saver, 0);
}

/** Records that a question has changed, unless a pause has sent that before its field was left. Files are not saved this way. */
function recordChange(saver: Saver, { target }: Event): void {
  const id = target instanceof Element && !target.matches('input[type="file"]') ? findQuestionId(target) : undefined;
  if (id === undefined) return;
  if (!saver.changed.has(id) && saver.sent.get(id) === readFields(saver.form, id)) return;
  const question = findQuestion(saver.form, id);
  const isInConflict = saver.marked.get(id) === 'conflict';
  const isHalfTyped = question !== null && findHalfTypedDates(question).length > 0;
  if (isHalfTyped) saver.changed.delete(id);
  else if (!isInConflict) saver.changed.add(id);
  keepUnsaved(saver);
  if (isInConflict) return;
  showState(isHalfTyped ? (saver.texts.badDate ?? '') : (saver.texts.saving ?? ''), 'busy');
  schedule(saver);
}

/** Shows a web address and a time of day as they are stored when their field is left. */
function completeTyped({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.inputMode === 'url') target.value = completeWebAddress(target.value);
  if (target.dataset.time !== undefined) target.value = completeTimeOfDay(target.value);
}

/** Selects the other choice when its text is typed. */
function chooseOther({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('[data-other]') || target.value === '') return;
  const choice = target.closest('.choice-other')?.querySelector<HTMLInputElement>('input:not([data-other])');
  if (choice) choice.checked = true;
}

/** Sends the choice between two conflicting answers when one of its buttons is pressed. */
function resolveConflict(saver: Saver, event: Event): void {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest<HTMLButtonElement>('[data-conflict] button');
  const questionId = button && findQuestionId(button);
  if (!button || !questionId) return;
  event.preventDefault();
  button.setAttribute('aria-busy', 'true');
  saver.changed.delete(questionId);
  void sendChoice(saver, questionId, button.value).then(() => button.removeAttribute('aria-busy'));
}
