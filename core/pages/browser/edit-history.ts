/**
 * The edits of the structure that this page has made, of which the last can be taken back, and made again: what was added, copied,
 * moved or deleted, and rules. Each is a request, and the one that takes it back, which the service refuses where somebody
 * else has edited the same since. A reload forgets them; inside of a field, the browser undoes.
 */
import { PAGE_CHANGE } from './page-change.ts';

/** What a button sends: its name and value, and where. */
export type Press = { name: string; value: string; address: string };
/** `press`: what has made an edit, unless it was made by saving; `inverse`: what takes it back. */
type Step = { press: Press | undefined; inverse: Press };

const MAX_STEPS = 20;
/** A question was stored for the first time: `detail` is its id. */
export const CREATED = 'questioncreated';

const undone: Press[] = [];
const made: Step[] = [];
/** The press whose effect is not known yet, and what was there before it. */
let pending: { press: Press; kind: 'edit' | 'undo' | 'redo'; step?: Step; ids: ReadonlySet<string> } | undefined;
/** The newest edit that was known: the ids of kept edits begin with their time. */
let lastUndoId = '';

/** Remembers edits, and lets `send` take them back. */
export function rememberEdits(send: (press: Press) => void): void {
  lastUndoId = readUndoId();
  show();
  document.addEventListener(PAGE_CHANGE, observe);
  document.addEventListener(CREATED, (event) => {
    if (event instanceof CustomEvent) remember({ press: undefined, inverse: deletion('q', String(event.detail)) });
    undone.length = 0;
    show();
  });
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-history]') : null;
    if (button) travel(button.dataset.history === 'redo' ? 'redo' : 'undo', send);
  });
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !(target instanceof Element)) return;
    if (target.matches('input, textarea, select, [contenteditable]') || target.closest('dialog')) return;
    const isRedo = key.toLowerCase() === 'y' || (event.shiftKey && key.toLowerCase() === 'z');
    if (!isRedo && key.toLowerCase() !== 'z') return;
    event.preventDefault();
    travel(isRedo ? 'redo' : 'undo', send);
  });
}

function remember(step: Step): void {
  made.push(step);
  if (made.length > MAX_STEPS) made.shift();
}

/** Notes a form that is about to be sent, if it edits the structure. */
export function notePress(form: HTMLFormElement, submitter: HTMLElement | null): void {
  const address = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  const isEdit =
    form.getAttribute('id') === 'editor-actions' || (form.closest('dialog') && address.endsWith('/delete'));
  const value = submitter instanceof HTMLButtonElement ? submitter.value : '';
  const name = submitter instanceof HTMLButtonElement ? submitter.name : '';
  if (!isEdit || pending?.press.value === value) return;
  pending = { press: { name, value, address }, kind: 'edit', ids: listIds() };
}

function travel(kind: 'undo' | 'redo', send: (press: Press) => void): void {
  if (pending) return;
  const step = kind === 'undo' ? made.pop() : undefined;
  const press = kind === 'undo' ? step?.inverse : undone.pop();
  if (!press) return;
  pending = { press, kind, ...(step && { step }), ids: listIds() };
  send(press);
}

/** Finds what takes back what was just done: what was recorded, or deleting what was added. */
function observe(): void {
  const effect = pending;
  pending = undefined;
  const undoId = readUndoId();
  const isRecorded = undoId > lastUndoId;
  if (isRecorded) lastUndoId = undoId;
  const added = document.getElementById(location.hash.slice(1));
  const [, kind = '', id = ''] = /^(q|s)-(.+)$/.exec(added?.id ?? '') ?? [];
  const isAdded = added !== null && effect !== undefined && !effect.ids.has(added.id) && id !== '';
  const inverse = isRecorded ? undoing(undoId) : isAdded ? deletion(kind, id) : undefined;
  if (effect?.kind === 'undo') {
    const again = inverse ?? effect.step?.press;
    if (again) undone.push(again);
  } else if (effect && inverse) {
    if (effect.kind === 'edit') undone.length = 0;
    remember({ press: effect.press, inverse });
  }
  show();
}

/** Shows whether there is something to take back, or to make again. */
function show(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-history]')) {
    button.hidden = false;
    button.disabled = (button.dataset.history === 'redo' ? undone : made).length === 0;
  }
}

const formAddress = (): string => /^\/build\/[^/]+/.exec(location.pathname)?.[0] ?? '';
const undoing = (undoId: string): Press => ({ name: 'undo', value: undoId, address: `${formAddress()}/undo` });
const deletion = (kind: string, id: string): Press => ({
  name: 'do',
  value: kind === 'q' ? 'deleteQuestion' : 'deleteSection',
  address: `${formAddress()}/${kind}/${id}/delete`,
});

const readUndoId = (): string =>
  document.querySelector<HTMLInputElement>('form#undo[data-own] input[name="undo"]')?.value ?? '';

const listIds = (): ReadonlySet<string> =>
  new Set([...document.querySelectorAll('.canvas-section, .canvas-question')].map(({ id }) => id));
