/**
 * Saves what has changed, question by question, to the address of the form: one request at a time, repeated until the
 * server has stored it. What is not stored is kept on the device, and the state never says that it is saved.
 */

import { showState } from './announce.ts';
import { apiFetch } from './api-fetch.ts';
import { type Mark, type SaveResult, showResult } from './autosave-result.ts';
import { type KeptAnswer, keepAnswers } from './kept-answers.ts';
import { findHalfTypedDates, findQuestion, readAnswer, readFields } from './question.ts';
import { showError } from './question-error.ts';
import { fill, type Texts } from './texts.ts';

/** `failed` may succeed when repeated; `refused` needs somebody to change something. */
type Outcome = 'saved' | 'failed' | 'refused';

export type Saver = {
  form: HTMLFormElement;
  texts: Texts;
  /** The questions that have changed since they were last sent. */
  changed: Set<string>;
  /** What was sent of each question last, unless the server has not stored it. */
  sent: Map<string, string>;
  /** The questions whose answers the server has not stored, for a reason that is shown at the question. */
  marked: Map<string, Mark>;
  /** The last request, and the number of requests that have not ended. */
  queue: Promise<unknown>;
  pending: number;
  outcome: Outcome;
  /** The section is not on the path of the response any more. */
  isOffPath: boolean;
  /** Nothing can be saved until somebody has signed in again. */
  isSignedOut: boolean;
  /** All that is not stored is kept on the device. */
  isKept: boolean;
  failures: number;
  timer: number | undefined;
  /** Called whenever a request has ended. */
  onSettled: () => void;
};

/** The pause after which changes are saved, in milliseconds: until then, they are kept on the device. */
const PAUSE_MS = 3_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;
/** The pause after a refusal, which lasts until somebody acts, such as opening the form again. */
const REFUSED_RETRY_MS = 60_000;

/** Creates the saver of a form, which sends changed answers in turn and keeps those that cannot be sent. */
export const createSaver = (form: HTMLFormElement, texts: Texts): Saver => ({
  form,
  texts,
  changed: new Set(),
  sent: new Map(),
  marked: new Map(),
  queue: Promise.resolve(),
  pending: 0,
  outcome: 'saved',
  isOffPath: false,
  isSignedOut: false,
  isKept: true,
  failures: 0,
  timer: undefined,
  onSettled: () => undefined,
});

/** Keeps answers on the device that the server has not stored, except half-typed dates, whose value is empty. */
export function keepUnsaved(saver: Saver): void {
  const { form, changed, marked } = saver;
  const answers: Record<string, KeptAnswer> = {};
  for (const id of new Set([...changed, ...marked.keys()])) {
    const question = findQuestion(form, id);
    if (!question || findHalfTypedDates(question).length > 0) continue;
    const mark = marked.get(id);
    // The question shows what is stored.
    if (mark === 'reset' && !changed.has(id)) continue;
    const isRemoved = mark === 'removed';
    answers[id] = { ...readAnswer(form, id), section: location.pathname, ...(isRemoved && { removed: true as const }) };
  }
  saver.isKept = keepAnswers(answers);
}

/** Saves after a pause, in milliseconds, instead of at an earlier scheduled time. */
export function schedule(saver: Saver, pauseMs = PAUSE_MS): void {
  clearTimeout(saver.timer);
  saver.timer = window.setTimeout(() => void saveNow(saver), pauseMs);
}

/** Saves everything that has changed, except what waits for the respondent to choose or to complete it. */
export function saveNow(saver: Saver, { keepalive = false } = {}): Promise<void> {
  clearTimeout(saver.timer);
  return runInTurn(saver, async () => {
    const questions = [...saver.changed];
    if (questions.length === 0) return;
    saver.changed.clear();
    saver.outcome = await send(saver, questions, { action: 'save', keepalive });
    if (saver.outcome === 'saved') {
      saver.failures = 0;
      if (saver.changed.size > 0) schedule(saver);
      return;
    }
    for (const question of questions) saver.changed.add(question);
    keepUnsaved(saver);
    saver.failures += 1;
    const retryMs = RETRY_MS[Math.min(saver.failures, RETRY_MS.length) - 1] ?? 0;
    schedule(saver, saver.outcome === 'refused' ? REFUSED_RETRY_MS : retryMs);
  });
}

/** Sends a question with the choice between two conflicting answers: `keep:…` or `useTheirs:…`. */
export const sendChoice = (saver: Saver, question: string, action: string): Promise<void> =>
  runInTurn(saver, async () => {
    saver.outcome = await send(saver, [question], { action, keepalive: false });
  });

async function runInTurn(saver: Saver, work: () => Promise<void>): Promise<void> {
  saver.pending += 1;
  const turn = saver.queue.then(work);
  saver.queue = turn.catch(() => undefined);
  await saver.queue;
  saver.pending -= 1;
  saver.onSettled();
}

async function send(
  saver: Saver,
  questions: readonly string[],
  { action, keepalive }: { action: string; keepalive: boolean },
): Promise<Outcome> {
  const { form, texts, marked, sent } = saver;
  showState(texts.saving ?? '', 'busy');
  for (const id of questions) sent.set(id, readFields(form, id));
  const body = new URLSearchParams({ do: action });
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && questions.includes(name.slice(2))) body.append(name, value);
  }
  try {
    const response = await post(form, body, keepalive);
    saver.isSignedOut = response.status === 401;
    if (!response.ok) return await handleRefusal(saver, response.status);
    const result: SaveResult = await response.json();
    if (result.problem !== undefined) {
      for (const [id, { error }] of Object.entries(result.questions)) {
        if (error !== undefined && !saver.changed.has(id)) showError(form, id, error);
      }
      showState(result.problem, 'bad', result.link);
      return 'refused';
    }
    saver.isOffPath = false;
    showResult(form, result, saver.changed, marked);
    for (const id of [...marked.keys(), ...Object.keys(result.replaced)]) sent.delete(id);
    keepUnsaved(saver);
    const time = formatTimeOfDay(result.at);
    if ([...marked.values()].includes('conflict')) showState(texts.choose ?? '', 'bad');
    else if (marked.size > 0 || findHalfTypedDates(form).length > 0) showState(fill(texts.invalid, { time }), 'bad');
    else if (saver.changed.size === 0) showState(fill(result.pending ? texts.kept : texts.saved, { time }), 'good');
    return 'saved';
  } catch {
    showState((navigator.onLine ? texts.retrying : texts.offline) ?? '', 'bad');
    return 'failed';
  }
}

/** Posts fields to the page of the form, for a result that scripts can read. */
export const post = (form: HTMLFormElement, body: URLSearchParams, keepalive = false): Promise<Response> =>
  fetch(form.action, { method: 'POST', body, keepalive, headers: { accept: 'application/json' } });

/** Shows what happened to a save without a result. Returns its outcome. */
async function handleRefusal(saver: Saver, status: number): Promise<Outcome> {
  const { texts, form } = saver;
  saver.isOffPath = status === 409;
  if (status === 401) {
    showState(texts.signedOut ?? '', 'bad', { href: '/sign-in', text: texts.signIn ?? '', newTab: true });
    return 'failed';
  }
  if (status >= 500 || status === 429) {
    showState(texts.retrying ?? '', 'bad');
    return 'failed';
  }
  if (status === 409) showState(texts.offPath ?? '', 'bad');
  else if (status === 413) showState(texts.tooLong ?? '', 'bad');
  else showState(((await isOtherPerson(form)) ? texts.otherPerson : texts.deleted) ?? '', 'bad');
  return 'refused';
}

/** Whether somebody else than the owner of the response is signed in now. */
async function isOtherPerson(form: HTMLFormElement): Promise<boolean> {
  const response = await apiFetch('/api/users/me', {});
  return response.ok && (await response.json()).id !== form.dataset.owner;
}

const formatTimeOfDay = (iso: string): string =>
  new Date(iso).toLocaleTimeString(document.documentElement.lang, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
