/**
 * The question that is open in the editor saves itself: after a pause, and when it is left. Its requests follow each other, each
 * with the stamp that the reply to the last one has brought, and what the server has made, such as the ids of new choices. Nothing
 * is replaced that was typed since, and what is not stored is kept on the device.
 */
import { Idiomorph } from 'idiomorph';
import { showState } from './announce.ts';
import { CREATED } from './edit-history.ts';
import { keepEdit } from './kept-edits.ts';
import { showToolbars } from './markdown.ts';
import { parsePage } from './next-page.ts';
import type { Texts } from './texts.ts';

export type Editing = {
  /** The row of the question. */
  row: HTMLElement;
  /** The values that are known to be stored. */
  stored: string;
  /** The values with which its form was opened. */
  opened: string;
  /** The last request. */
  queue: Promise<unknown>;
  timer: number | undefined;
  failures: number;
  /** The body of a request whose reply is not there: what it asks for may be stored. */
  sent: URLSearchParams | undefined;
  /** A choice whose fields are not shown yet: of another type, or of another source of choices. */
  chosen: Choice | undefined;
  /** Something of it was stored since it was opened. */
  hasStored: boolean;
  /** It is closed: nothing of it is shown or saved any more. */
  isClosed: boolean;
};

/** The buttons of the lists that decide which fields a question has. */
type Choice = 'type' | 'source';

/** The pause after which it is saved, in milliseconds; from this size of the form on, a longer one: a save writes all of it. */
const PAUSE_MS = 800;
const LARGE_PAUSE_MS = 3_000;
const LARGE_BYTES = 100_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;
/** Browsers send no more than this, in bytes, after a page is closed. */
const MAX_KEEPALIVE_BYTES = 60_000;
/** After this long, in milliseconds, a request has failed. */
const TIMEOUT_MS = 30_000;
/** How often a save is repeated because somebody typed meanwhile. */
const MAX_SAVES = 3;

const editorOf = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-editor]');

export const readTexts = (): Texts => JSON.parse(editorOf()?.dataset.texts ?? '{}');

/** The form of an open question. */
export const formOf = ({ row }: Pick<Editing, 'row'>): HTMLFormElement | null =>
  row.querySelector<HTMLFormElement>('form.canvas-form');

/** Begins to save the question of a row. `isStored`: what its form shows is stored. */
export function startEditing(row: HTMLElement, isStored: boolean): Editing {
  const editing: Editing = {
    row,
    stored: '',
    opened: '',
    queue: Promise.resolve(),
    timer: undefined,
    failures: 0,
    sent: undefined,
    chosen: undefined,
    hasStored: false,
    isClosed: false,
  };
  editing.opened = readTyped(editing);
  editing.stored = isStored ? editing.opened : '';
  return editing;
}

/** What is typed, without what the server writes: stamps and ids. */
function readTyped(editing: Editing): string {
  const form = formOf(editing);
  if (!form) return editing.stored;
  const written = new Set([...form.querySelectorAll<HTMLInputElement>('[data-hidden] input')].map(({ name }) => name));
  const values = [...new FormData(form)].filter(([name]) => name !== 'choice.id' && !written.has(name));
  return JSON.stringify([...values, findHalfTyped(form) !== undefined]);
}

/** Whether something is typed that is not stored. */
export const isUnsaved = (editing: Editing): boolean => !editing.isClosed && readTyped(editing) !== editing.stored;

/** Whether nothing was typed or chosen in a new question. */
export function isBlank(editing: Editing): boolean {
  const { row, opened } = editing;
  if (row.dataset.new === undefined || readTyped(editing) !== opened) return false;
  const texts = row.querySelectorAll<HTMLInputElement>('#title, [name="choice.name"], [name="description"]');
  return [...texts].every(({ value }) => value.trim() === '');
}

const findHalfTyped = (form: HTMLFormElement): HTMLInputElement | undefined =>
  [...form.elements].filter((field) => field instanceof HTMLInputElement).find(({ validity }) => validity.badInput);

/** Keeps what is typed and saves it after a pause. Returns whether it could be kept. */
export function handleTyping(editing: Editing): boolean {
  const isKept = keepTyped(editing);
  markUnsaved(editing);
  if (!isUnsaved(editing)) return isKept;
  if (!isWaiting(editing)) showState(readTexts().saving ?? '', 'busy');
  schedule(editing, Number(editorOf()?.dataset.bytes) >= LARGE_BYTES ? LARGE_PAUSE_MS : PAUSE_MS);
  return isKept;
}

/** Marks its line in the outline while something of it is not stored. */
export function markUnsaved(editing: Editing): void {
  const line = document.getElementById(`o-${editing.row.dataset.id}`);
  line?.toggleAttribute('data-unsaved', isUnsaved(editing));
}

function keepTyped(editing: Editing): boolean {
  const form = formOf(editing);
  if (!form || !isUnsaved(editing) || isBlank(editing)) return keepEdit(undefined);
  return keepEdit({ action: form.getAttribute('action') ?? '', body: readBody(form, 'save').toString() });
}

function schedule(editing: Editing, pauseMs: number): void {
  clearTimeout(editing.timer);
  editing.timer = window.setTimeout(() => void saveNow(editing, { isPause: true }), pauseMs);
}

/** Whether the person has to decide first, between two versions or about what would be lost. */
const isWaiting = ({ row }: Editing): boolean => row.querySelector('.canvas-open[data-waits]') !== null;

/** `isPause`: nobody asks for it, somebody has paused. */
type Saving = { keepalive?: boolean; isPause?: boolean };

/** Saves what is typed. Returns whether all of it is stored. */
export async function saveNow(editing: Editing, options: Saving = {}): Promise<boolean> {
  clearTimeout(editing.timer);
  // What a button does is typed once the reply is there.
  await editing.queue;
  // The fields that are shown are those of another choice, which can be incomplete.
  if (editing.chosen) await pressButton(editing, editing.chosen);
  if (editing.chosen) return false;
  for (let saves = 0; saves < MAX_SAVES && isUnsaved(editing); saves += 1) {
    const before = readTyped(editing);
    await inTurn(editing, () => save(editing, options));
    if (readTyped(editing) === before) break;
  }
  return !isUnsaved(editing);
}

/** Sends the form with what one of its buttons does; `save` is saving although something would be lost or replaced. */
export const pressButton = (editing: Editing, action: string): Promise<void> =>
  inTurn(editing, async () => {
    const form = formOf(editing);
    if (!form) return;
    if (action === 'save') {
      editing.row.querySelector('.canvas-open')?.removeAttribute('data-waits');
      await save(editing, { isForced: true });
      return;
    }
    if (action === 'type' || action === 'source') editing.chosen = action;
    const sent = readTyped(editing);
    const reply = await request(editing, form, readBody(form, action));
    if (!reply) return;
    if (readTyped(editing) === sent) editing.chosen = undefined;
    replaceOpen(editing, reply.page, sent);
    handleTyping(editing);
  });

function inTurn(editing: Editing, work: () => Promise<void>): Promise<void> {
  const turn = editing.queue.then(work);
  editing.queue = turn.catch(() => undefined);
  return turn;
}

/** What is missing before the server needs to be asked. */
function findMissing(form: HTMLFormElement): 'noTitle' | 'noChoice' | 'noDate' | undefined {
  const title = form.querySelector<HTMLInputElement>('#title');
  if (title?.getAttribute('aria-required') === 'true' && title.value.trim() === '') return 'noTitle';
  const rows = listRows(form);
  if (rows.length > 0 && rows.every((row) => !isFilled(row))) return 'noChoice';
  return findHalfTyped(form) ? 'noDate' : undefined;
}

const isInTitle = (form: HTMLFormElement): boolean =>
  document.activeElement?.id === 'title' && form.contains(document.activeElement);

/** Tries again to save what was not complete while its title was written, now that the focus leaves it. */
export function leaveTitle(editing: Editing): void {
  const form = formOf(editing);
  if (form && !isBlank(editing) && findMissing(form) === 'noChoice') handleTyping(editing);
}

const listRows = (form: HTMLFormElement): HTMLElement[] => [...form.querySelectorAll<HTMLElement>('.choice-row')];

const isFilled = (row: HTMLElement): boolean =>
  [
    ...row.querySelectorAll<HTMLInputElement>(
      '[name="choice.name"], [name="choice.description"], [name="choice.other"]',
    ),
  ]
    .map(({ value }) => value.trim())
    .some((value) => value !== '');

/** What a form sends, with the name of a button. */
export function readBody(form: HTMLFormElement, action: string): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('do', action);
  return body;
}

async function save(
  editing: Editing,
  { keepalive = false, isPause = false, isForced = false }: Saving & { isForced?: boolean },
): Promise<void> {
  const form = formOf(editing);
  if (!form || (!isForced && !isUnsaved(editing))) return;
  const texts = readTexts();
  const missing = findMissing(form);
  if (missing) {
    // The choices come after the question: nothing is wrong while it is still being written, as it is kept.
    if (isPause && missing === 'noChoice' && isInTitle(form) && keepTyped(editing))
      showState(texts.unfinished ?? '', 'busy');
    else showState(texts[missing] ?? '', 'bad');
    return;
  }
  if (isWaiting(editing)) {
    showRefusal(editing);
    return;
  }
  showState(texts.saving ?? '', 'busy');
  const sent = readTyped(editing);
  const rows = listRows(form).filter(isFilled);
  const reply = await request(editing, form, readBody(form, 'save'), keepalive);
  if (!reply) return;
  if (!reply.isOk) {
    replaceOpen(editing, reply.page, sent);
    if (readTyped(editing) === sent) showRefusal(editing);
    else handleTyping(editing);
    return;
  }
  editing.stored = sent;
  editing.hasStored = true;
  adoptIds(form, rows, reply.page);
  showStored(editing.row, reply.page);
  // Messages about what was wrong go.
  if (form.querySelector('.invalid') || editing.row.querySelector('.canvas-open > .notice')) {
    replaceOpen(editing, reply.page, sent);
  }
  if (editing.isClosed) return;
  keepTyped(editing);
  if (isUnsaved(editing)) handleTyping(editing);
  else showState(texts.saved ?? '', 'good');
  markUnsaved(editing);
}

/**
 * Says why the question is not stored, in the bar, which is always in view, with a link to what its author decides. Whoever types
 * keeps the focus; for anybody else what is to be decided takes it.
 */
function showRefusal({ row }: Editing): void {
  const texts = readTexts();
  const open = row.querySelector<HTMLElement>('.canvas-open');
  const notice = open?.querySelector<HTMLElement>('[data-error-summary], .notice');
  const text = (open?.dataset.conflict === undefined ? texts.refused : texts.conflict) ?? '';
  if (notice) notice.id = 'refusal';
  showState(text, 'bad', notice ? { href: '#refusal', text: texts.seeRefusal ?? '' } : undefined);
  if (notice && !open?.querySelector(':is(input, textarea, select):focus')) notice.focus();
}

/** Sends a form. Returns the page of the reply; undefined if there is none, which is repeated. */
async function request(
  editing: Editing,
  form: HTMLFormElement,
  body: URLSearchParams,
  keepalive = false,
): Promise<{ page: Document; isOk: boolean } | undefined> {
  const texts = readTexts();
  editing.sent = body;
  const response = await post(form.getAttribute('action') ?? '', body, {
    keepalive: keepalive && body.toString().length < MAX_KEEPALIVE_BYTES,
  });
  if (response && response.status < 500) editing.sent = undefined;
  if (response?.headers.get('content-type')?.startsWith('text/html')) {
    editing.failures = 0;
    const page = parsePage(await response.text());
    if (page.querySelector('[data-row]')) return { page, isOk: response.ok };
  }
  if (editing.isClosed) return undefined;
  keepTyped(editing);
  if (response?.status === 401) {
    showState(texts.signedOut ?? '', 'bad', { href: '/sign-in', text: texts.signIn ?? '', newTab: true });
  } else if (response && response.status < 500 && response.status !== 429) {
    const { refusal = texts.refused } = await response.json().catch(() => ({}));
    showState(refusal, 'bad');
    editing.chosen = undefined;
    return undefined;
  } else showState((navigator.onLine ? texts.notKept : texts.offline) ?? '', 'bad');
  editing.failures += 1;
  schedule(editing, RETRY_MS[Math.min(editing.failures, RETRY_MS.length) - 1] ?? PAUSE_MS);
  return undefined;
}

const post = (address: string, body: URLSearchParams, options: RequestInit = {}): Promise<Response | undefined> =>
  fetch(address, {
    method: 'POST',
    body,
    headers: { accept: 'application/json, text/html' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...options,
  }).catch(() => undefined);

/**
 * Deletes a new question of which a request is on its way. A request without a reply is sent again: it finds what the first
 * one has stored. Returns whether nothing of it is stored.
 */
export async function deleteSent(editing: Editing): Promise<boolean> {
  const { row } = editing;
  await editing.queue;
  const action = (): string => formOf(editing)?.getAttribute('action') ?? '';
  for (const retryMs of [0, ...RETRY_MS]) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    const response = editing.sent && (await post(action(), editing.sent));
    if (response?.ok) showStored(row, parsePage(await response.text()));
    if (response && response.status < 500) editing.sent = undefined;
    if (editing.sent) continue;
    if (row.dataset.new !== undefined) return true;
    const deleted = await post(`${action()}/delete`, new URLSearchParams({ do: 'deleteQuestion' }));
    if (deleted && (deleted.ok || deleted.status === 404)) return true;
  }
  return false;
}

/** Writes the ids that choices have got into the rows that were sent. */
function adoptIds(form: HTMLFormElement, sent: readonly HTMLElement[], page: Document): void {
  const ids = [...page.querySelectorAll<HTMLInputElement>('.choice-row [name="choice.id"]')].map(({ value }) => value);
  for (const [index, row] of sent.entries()) {
    const field = row.querySelector<HTMLInputElement>('[name="choice.id"]');
    if (field && form.contains(row)) field.value = ids[index] ?? field.value;
  }
}

/** Shows what is stored of a question, beside what is typed: its row without the fields, its line in the outline, its stamp. */
export function showStored(row: HTMLElement, page: Document): void {
  const next = page.querySelector<HTMLElement>('[data-row]');
  if (!next) return;
  const isNew = row.dataset.new !== undefined && next.dataset.new === undefined;
  const parts = ['.canvas-closed', '.canvas-foot', '[data-hidden]', ...(isNew ? ['[data-tools]'] : [])];
  for (const part of parts) {
    const [shown, stored] = [row.querySelector(part), next.querySelector(part)];
    if (shown && stored) Idiomorph.morph(shown, stored);
  }
  const action = next.querySelector('form.canvas-form')?.getAttribute('action');
  if (action) row.querySelector('form.canvas-form')?.setAttribute('action', action);
  row.id = next.id;
  if (next.dataset.id) row.dataset.id = next.dataset.id;
  if (isNew) delete row.dataset.new;
  if (isNew && row.isConnected) document.dispatchEvent(new CustomEvent(CREATED, { detail: row.dataset.id }));
  showInOutline(row, page);
}

function showInOutline(row: HTMLElement, page: Document): void {
  const line = page.querySelector<HTMLElement>('[data-line]');
  if (!line) return;
  const shown = document.getElementById(line.id);
  const above = document.getElementById(row.previousElementSibling?.id.replace(/^q-/, 'o-') ?? '');
  const section = row.closest('.canvas-section')?.id.replace(/^s-/, '') ?? '';
  if (shown) Idiomorph.morph(shown, line);
  else if (above) above.after(line);
  else document.querySelector(`[data-section="${CSS.escape(section)}"] > ol`)?.prepend(line);
}

/** What a person has unfolded stays so when the page is morphed. */
export const keepOpen = (name: string, _element: Element, change: string): boolean =>
  !(name === 'open' && change === 'remove');

/** Replaces the fields of a question by those of a reply, except where somebody has typed since they were `sent`. */
function replaceOpen(editing: Editing, page: Document, sent: string): void {
  const [open, next] = [editing.row.querySelector('.canvas-open'), page.querySelector('.canvas-open')];
  if (!open || !next || readTyped(editing) !== sent) return;
  Idiomorph.morph(open, next, { callbacks: { beforeAttributeUpdated: keepOpen } });
  showToolbars();
  editing.row.querySelector<HTMLElement>('[autofocus]')?.focus();
}
