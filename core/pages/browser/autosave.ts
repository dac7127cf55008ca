/**
 * Saves what has changed, question by question, to the address of the form. What is not saved yet is kept on the device,
 * so that a lost connection, a reload or a closed tab lose nothing.
 */
import { type SavedByScript, showResult } from './autosave-result.ts';
import { keep, restore } from './kept-answers.ts';
import { fill, type Texts } from './texts.ts';
import type { PendingUploads } from './uploads.ts';

const PAUSE_MS = 700;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;

type Saver = {
  form: HTMLFormElement;
  texts: Texts;
  /** The questions that have changed since they were last sent. */
  changed: Set<string>;
  /** The questions whose answers the server has not stored: they are not valid, or were changed elsewhere. */
  marked: Set<string>;
  timer: number | undefined;
  running: Promise<boolean> | undefined;
  failures: number;
};

/** Starts saving the form automatically. `uploads` are waited for before the page is left. */
export function saveAutomatically(form: HTMLFormElement, texts: Texts, uploads: PendingUploads): void {
  const saver: Saver = {
    form,
    texts,
    changed: new Set(),
    marked: new Set(),
    timer: undefined,
    running: undefined,
    failures: 0,
  };
  const restored = restore(form);
  for (const question of restored) saver.changed.add(question);
  if (restored.length > 0) {
    say(saver, texts.restored ?? '');
    schedule(saver, 0);
  }
  const note = (event: Event, pause: number): void => {
    const question = questionOf(event.target);
    if (!question) return;
    saver.changed.add(question);
    keepUnsaved(saver);
    schedule(saver, pause);
  };
  form.addEventListener('input', (event) => note(event, PAUSE_MS));
  form.addEventListener('change', (event) => note(event, 0));
  form.addEventListener('input', chooseOther);
  form.addEventListener('click', (event) => takeOther(saver, event));
  form.addEventListener('submit', (event) => leave(saver, event, uploads()));
  addEventListener('online', () => schedule(saver, 0));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void saveNow(saver, { keepalive: true });
    else schedule(saver, 0);
  });
}

const keepUnsaved = ({ form, changed, marked }: Saver): void => keep(form, new Set([...changed, ...marked]));

/** The question that a control belongs to; files are not saved this way. */
function questionOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element) || target.matches('input[type="file"]')) return undefined;
  return target.closest<HTMLElement>('[data-question]')?.dataset.question;
}

/** Typing the text of the other choice chooses it. */
function chooseOther({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('[data-other]') || target.value === '') return;
  const choice = target.closest('.choice-other')?.querySelector<HTMLInputElement>('input:not([data-other])');
  if (choice) choice.checked = true;
}

/**
 * Saves what has changed and waits for uploads before the page is left. Without a connection, or when a file was not
 * taken, the page stays.
 */
function leave(saver: Saver, event: SubmitEvent, uploads: Promise<boolean> | undefined): void {
  if (saver.changed.size === 0 && !saver.running && !uploads) return;
  event.preventDefault();
  void Promise.all([uploads ?? true, saveNow(saver)]).then(([areFilesTaken]) => {
    if (areFilesTaken && saver.changed.size === 0) saver.form.requestSubmit(event.submitter);
  });
}

function takeOther(saver: Saver, event: Event): void {
  const button =
    event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[value^="take:"]') : null;
  const question = button && questionOf(button);
  if (!button || !question) return;
  event.preventDefault();
  saver.changed.delete(question);
  void send(saver, [question], { action: button.value });
}

function schedule(saver: Saver, pauseMs: number): void {
  clearTimeout(saver.timer);
  saver.timer = window.setTimeout(() => void saveNow(saver), pauseMs);
}

/** Saves everything that has changed, one request at a time. */
async function saveNow(saver: Saver, options: { keepalive?: boolean } = {}): Promise<void> {
  clearTimeout(saver.timer);
  await saver.running;
  const questions = [...saver.changed];
  if (questions.length === 0) return;
  saver.changed.clear();
  saver.running = send(saver, questions, options);
  const isSaved = await saver.running;
  saver.running = undefined;
  if (isSaved) {
    saver.failures = 0;
    if (saver.changed.size > 0) schedule(saver, PAUSE_MS);
    return;
  }
  for (const question of questions) saver.changed.add(question);
  keepUnsaved(saver);
  saver.failures += 1;
  schedule(saver, RETRY_MS[Math.min(saver.failures, RETRY_MS.length) - 1] ?? 0);
}

type Sending = { action?: string; keepalive?: boolean };

/** Sends some questions. Returns whether the server has taken them. */
async function send(
  saver: Saver,
  questions: readonly string[],
  { action, keepalive = false }: Sending,
): Promise<boolean> {
  const { form, texts } = saver;
  say(saver, texts.saving ?? '');
  const body = new URLSearchParams({ do: action ?? 'save' });
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && questions.includes(name.slice(2))) body.append(name, value);
  }
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      keepalive,
      headers: { accept: 'application/json' },
    });
    if (!response.ok) return refused(saver, response.status);
    const result: SavedByScript = await response.json();
    showResult(form, result, saver.changed, saver.marked);
    keepUnsaved(saver);
    const time = timeOfDay(result.at);
    say(
      saver,
      result.problem ?? fill(saver.marked.size === 0 ? texts.saved : texts.invalid, { time }),
      result.problem !== undefined,
    );
    return true;
  } catch {
    say(saver, (navigator.onLine ? texts.retrying : texts.offline) ?? '', true);
    return false;
  }
}

/**
 * A response without a result: the session has ended, or the service is busy. When the section is not on the path any
 * more, loading the page leads to where the respondent goes on.
 */
function refused(saver: Saver, status: number): boolean {
  if (status === 404 || status === 409) location.reload();
  say(saver, (status === 401 ? saver.texts.signedOut : saver.texts.retrying) ?? '', true);
  return false;
}

const timeOfDay = (iso: string): string =>
  new Date(iso).toLocaleTimeString(document.documentElement.lang, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

function say({ form }: Saver, text: string, isBad = false): void {
  const state = form.ownerDocument.querySelector<HTMLElement>('[data-save-state]');
  if (!state) return;
  state.textContent = text;
  state.dataset.tone = isBad ? 'bad' : 'good';
}
