/**
 * The editor of a form: a press on a question opens it in place, one at a time, and it saves itself. Each behaviour has its module;
 * without them, the links lead to the pages of the same fields.
 */
import { Idiomorph } from 'idiomorph';
import { showState } from './announce.ts';
import { handleChoiceKey, pasteChoices, pressChoiceButton } from './choice-keys.ts';
import { notePress, type Press, rememberEdits } from './edit-history.ts';
import {
  deleteSent,
  type Editing,
  formOf,
  handleTyping,
  isBlank,
  isUnsaved,
  keepOpen,
  leaveTitle,
  markUnsaved,
  pressButton,
  readTexts,
  saveNow,
  showStored,
  startEditing,
} from './editing.ts';
import { showButtons } from './enhancements.ts';
import { holdEdits, type KeptEdit, keepEdit, restoreEdits } from './kept-edits.ts';
import { showToolbars } from './markdown.ts';
import { parsePage } from './next-page.ts';
import { PAGE_CHANGE } from './page-change.ts';
import { handlePickMenus, openPickMenu } from './pick-menu.ts';
import { openRuleMenu } from './rule-menu.ts';
import { dragByHandle } from './sortable.ts';
import { linesOf, storeLines } from './split-lines.ts';
import { endTypeAhead, focusTypeAhead, startTypeAhead } from './type-ahead.ts';

let editing: Editing | undefined;
/** Counts what was opened, so that a late reply opens nothing. */
let turn = 0;
let isKept = true;
/** Counts what was shown anew, so that a late reply shows nothing older. */
let refreshes = 0;
/** A press that goes on once everything is saved. */
let isPassing = false;
/** What is opened when the page has changed. */
let afterChange: 'open' | 'copy' | 'add' | undefined;

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
const isOpen = (target: EventTarget | null): boolean => editing !== undefined && rowOf(target) === editing.row;

if (document.querySelector('[data-editor]')) {
  handlePickMenus();
  dragLines();
  rememberEdits(sendPress);
  holdEdits();
  void restoreEdits(restore);
  document.addEventListener('click', handleClick, { capture: true });
  document.addEventListener('submit', handleSubmit, { capture: true });
  document.addEventListener('keydown', handleKey);
  document.addEventListener('paste', handlePaste);
  document.addEventListener('input', handleInput);
  document.addEventListener('change', ({ target }) => {
    if (
      editing &&
      isOpen(target) &&
      target instanceof HTMLSelectElement &&
      ['type', 'sourceId'].includes(target.name)
    ) {
      void pressButton(editing, target.name === 'type' ? 'type' : 'source');
    }
  });
  document.addEventListener('focusout', ({ target }) => {
    if (editing && isOpen(target) && target instanceof Element && target.id === 'title') leaveTitle(editing);
  });
  document.addEventListener(PAGE_CHANGE, continueAfterChange);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && editing) void saveNow(editing, { keepalive: true });
  });
  addEventListener('pagehide', () => editing && void saveNow(editing, { keepalive: true }));
  addEventListener('online', () => editing && void saveNow(editing));
  addEventListener('beforeunload', (event) => {
    if (editing && isUnsaved(editing) && !isBlank(editing) && !isKept) event.preventDefault();
  });
}

function handleInput({ target }: Event): void {
  if (editing && isOpen(target)) isKept = handleTyping(editing);
}

/** Opens a question, adds one, closes the open one, or saves before a link is followed. */
function handleClick(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || event.button !== 0 || isPassing) return;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = target.closest('a');
  if (isElsewhere || target.closest('dialog')) return;
  if (editing && link && isOpen(link) && link.closest('.notice') && !link.hash) {
    event.preventDefault();
    event.stopImmediatePropagation();
    void openAgain(editing.row);
    return;
  }
  if (target.closest('[data-close]'))
    void close().then((row) => row?.querySelector<HTMLElement>('a[data-edit]')?.focus());
  else if (target.closest('[data-discard]')) void discard();
  else if (link?.dataset.add !== undefined) {
    event.preventDefault();
    openTypeMenu((query) => void add(link, query));
  } else if (link?.dataset.rule !== undefined) {
    event.preventDefault();
    // In another section it has other options.
    const isMoved = link.dataset.rule === 'own';
    openRuleMenu(link, load, (action, address) => {
      if (!isMoved) sendAction(action, address);
      else void close(true).then((isClosed) => isClosed && sendAction(action, address));
    });
  } else if (link?.hash.startsWith('#q-') && link.pathname === location.pathname && link.search === location.search) {
    event.preventDefault();
    link.closest<HTMLElement>('[popover]:popover-open')?.hidePopover();
    const row = document.getElementById(link.hash.slice(1));
    row?.scrollIntoView({ block: 'center' });
    if (row) void open(row);
  } else if (link?.closest('.publish-faults') && findRow(link)) {
    event.preventDefault();
    const row = findRow(link);
    row?.scrollIntoView({ block: 'center' });
    void open(row ?? null);
  } else if (rowOf(target) && !isOpen(target) && (!link || link.dataset.edit !== undefined)) {
    event.preventDefault();
    void open(rowOf(target));
  } else if (editing && !isOpen(target) && !link && !target.closest('button, summary, label')) void close();
  else if (editing && link?.hash === '#publish' && link.pathname === location.pathname) void close();
  else if (editing && link && link.target === '' && !link.hash.startsWith('#') && isUnsaved(editing)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    void saveNow(editing).then(() => pass(() => link.click()));
  }
}

/** Finds the row of the question or section to whose page a link leads. */
const findRow = ({ pathname, hash }: HTMLAnchorElement): HTMLElement | null | undefined =>
  hash === ''
    ? rowOf(
        [...document.querySelectorAll<HTMLAnchorElement>('a[data-edit]')].find((edit) => edit.pathname === pathname) ??
          null,
      )
    : undefined;

function pass(press: () => void): void {
  isPassing = true;
  press();
  isPassing = false;
}

/** The buttons of the open question; of any other form, saves before it is sent. */
function handleSubmit(event: SubmitEvent): void {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || isPassing) return;
  const action = submitter instanceof HTMLButtonElement ? submitter.value : '';
  notePress(form, submitter);
  if (editing && form === formOf(editing)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressChoiceButton(form, action)) {
      isKept = handleTyping(editing);
    } else if (action === 'save' && !(submitter instanceof HTMLElement && submitter.closest('.notice, .actions'))) {
      void saveNow(editing);
    } else void pressButton(editing, action);
    return;
  }
  // It has a field with the name `id`.
  if (form.getAttribute('id') === 'editor-actions') {
    const stay = form.elements.namedItem('stay');
    if (stay instanceof HTMLInputElement) stay.value = 'on';
    if (/^(?:(?:copy-)?section|declaration):/.test(action)) afterChange = 'open';
    if (action.startsWith('copy:')) afterChange = 'copy';
    if (submitter?.dataset.first !== undefined) afterChange = 'add';
    submitter?.closest<HTMLElement>('[popover]:popover-open')?.hidePopover();
  }
  if (!editing || !isUnsaved(editing) || isBlank(editing) || form.method === 'dialog') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void saveNow(editing).then(() => pass(() => form.requestSubmit(submitter)));
}

function handleKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(target instanceof Element) || target.closest('dialog') || event.isComposing) return;
  const hasCommand = event.ctrlKey || event.metaKey;
  const row = rowOf(target);
  const line = target.closest('#outline li[data-line]');
  if (line && event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    event.preventDefault();
    sendAction(`${key === 'ArrowUp' ? 'up' : 'down'}:${line.id.replace('o-', '')}`);
    return;
  }
  if (row && event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    event.preventDefault();
    void act(row, `${row.dataset.row === 'section' ? 'section-' : ''}${key === 'ArrowUp' ? 'up' : 'down'}`);
    return;
  }
  if (row && hasCommand && key.toLowerCase() === 'd') {
    event.preventDefault();
    void act(row, row.dataset.row === 'section' ? 'copy-section' : 'copy');
    return;
  }
  if (!editing || !isOpen(target)) return;
  const form = formOf(editing);
  if (key === 'Enter' && hasCommand) {
    event.preventDefault();
    addBelow(editing.row);
    return;
  }
  if (key === 'Escape') void close().then((closed) => closed?.querySelector<HTMLElement>('a[data-edit]')?.focus());
  else if (form && handleChoiceKey(event, form)) isKept = handleTyping(editing);
  else if (key === 'Enter' && target.id === 'title') {
    event.preventDefault();
    focusAfterTitle(editing);
  }
}

/** Lets questions be dragged in the outline by their handles, also to another section. */
function dragLines(): void {
  const listAll = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#outline li > ol')];
  const onDrop = (line: HTMLElement): void => {
    const section = line.closest<HTMLElement>('[data-section]')?.dataset.section ?? '';
    const after = line.previousElementSibling?.id.replace('o-', '') ?? '';
    sendAction(`place:${line.id.replace('o-', '')}:${section}:${after}`);
  };
  dragByHandle(document.documentElement, { items: '#outline li > ol > li', lists: listAll, onDrop });
}

/** Opens the menu of kinds. `onChoose` gets what the address of the chosen kind has, such as `type=DATE`, or `declaration`. */
const openTypeMenu = (onChoose: (query: string) => void): void =>
  void openPickMenu('type-menu', (kind) => onChoose(kind.dataset.kind ?? ''));

/** Opens the menu of kinds for a question below the open one, or for the last of its section. */
function addBelow(row: HTMLElement): void {
  openTypeMenu((query) => void add(row, query));
}

/** Moves the focus from the title to what is typed next: the first choice, or the description; of a section, the next question. */
function focusAfterTitle({ row }: Editing): void {
  const choice = row.querySelector<HTMLElement>('[name="choice.name"]');
  const description = row.querySelector<HTMLElement>('#description');
  const next =
    row.dataset.row === 'section' ? row.parentElement?.querySelector<HTMLElement>('p > a[data-add]') : undefined;
  if (!choice && !next) description?.closest('details')?.setAttribute('open', '');
  (choice ?? next ?? description)?.focus();
}

function handlePaste(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  const form = editing && formOf(editing);
  if (!editing || !form || !(target instanceof HTMLInputElement) || !isOpen(target)) return;
  const text = clipboardData?.getData('text/plain') ?? '';
  const lines = linesOf(editing, target, text);
  if (lines.length > 0) {
    event.preventDefault();
    void addLines(editing, target, lines);
    return;
  }
  if (target.name !== 'choice.name' || !pasteChoices(form, target, text)) return;
  event.preventDefault();
  isKept = handleTyping(editing);
}

/** Makes a question of each line; what could not be stored is in the title of the one that is open. */
async function addLines(current: Editing, title: HTMLInputElement, lines: readonly string[]): Promise<void> {
  showState(readTexts().saving ?? '', 'busy');
  const unstored = await storeLines(current, lines);
  title.value = unstored.join(' ');
  if (unstored.length > 0) {
    isKept = handleTyping(current);
    return;
  }
  const stored = current.row.previousElementSibling;
  forget();
  current.row.remove();
  showState(readTexts().saved ?? '', 'good');
  void refreshAround();
  stored?.querySelector<HTMLElement>('a[data-edit]')?.focus();
}

/** Sends a button of the list of questions for a row, such as the one that moves a question, once the row is stored. */
async function act(row: HTMLElement, name: string): Promise<void> {
  if (editing?.row === row && !(await saveNow(editing))) return;
  if (row.dataset.id === undefined) return;
  if (name === 'copy') startTypeAhead((item) => row.after(item));
  sendAction(`${name}:${row.dataset.id}`);
}

/** Sends what a button of the list of questions does, or of the page at another address. */
function sendAction(action: string, address?: string): void {
  sendPress({ name: 'do', value: action, address: address ?? '' });
}

function sendPress({ name, value, address }: Press): void {
  const form = document.querySelector<HTMLFormElement>('#editor-actions');
  if (!form) return;
  const button = document.createElement('button');
  Object.assign(button, { name, value, hidden: true });
  if (address !== '') button.setAttribute('formaction', address);
  form.append(button);
  form.requestSubmit(button);
  // Saving first sends it again.
  setTimeout(() => button.remove(), 60_000);
}

/** Opens a question in its row. */
async function open(row: HTMLElement | null, replied?: Document): Promise<void> {
  if (!row || row === editing?.row || !(await close(true))) return;
  turn += 1;
  const current = turn;
  const href = row.querySelector<HTMLAnchorElement>('a[data-edit]')?.getAttribute('href');
  const page = replied ?? (href ? await load(`${href}?part=row`, href) : undefined);
  const next = page?.querySelector('.canvas-open');
  if (!next || current !== turn || !row.isConnected) return;
  row.querySelector('.canvas-open')?.remove();
  row.querySelector(':scope > .canvas-foot')?.before(next);
  begin(row, !replied);
}

/** Opens the open question as it is stored now, without what was typed. */
async function openAgain(row: HTMLElement): Promise<void> {
  forget();
  await open(row);
}

/** Removes a question that is not stored, with what was typed, also from the service if a request on its way has stored it. */
async function discard(): Promise<void> {
  const discarded = editing;
  const above = discarded?.row.previousElementSibling;
  forget();
  discarded?.row.remove();
  above?.querySelector<HTMLElement>('a[data-edit]')?.focus();
  if (!discarded?.sent) return;
  showState(readTexts().saving ?? '', 'busy');
  const isGone = await deleteSent(discarded);
  showState(isGone ? '' : (readTexts().notKept ?? ''), isGone ? 'good' : 'bad');
}

/** Forgets what was typed into the open question. */
function forget(): void {
  if (editing) {
    clearTimeout(editing.timer);
    editing.isClosed = true;
    markUnsaved(editing);
  }
  editing = undefined;
  keepEdit(undefined);
  showState('', 'good');
}

/** Loads parts of the page. Offline, nothing opens; whoever is signed out comes back here. */
async function load(address: string, href: string): Promise<Document | undefined> {
  const response = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (response?.ok && !response.redirected) return parsePage(await response.text());
  if (response?.redirected) location.reload();
  else if (response) location.assign(href);
  else showState(readTexts().notKept ?? '', 'bad');
  return undefined;
}

function begin(row: HTMLElement, isStored: boolean): void {
  showToolbars();
  showButtons();
  unfoldBeside(row);
  editing = startEditing(row, isStored);
  const field = row.querySelector<HTMLElement>('[data-error-summary]') ?? row.querySelector<HTMLElement>('#title');
  field?.focus();
  if (field instanceof HTMLInputElement) field.setSelectionRange(field.value.length, field.value.length);
  row.scrollIntoView({ block: 'nearest' });
}

/** Unfolds the options of a question where they stand beside it. */
function unfoldBeside(row: HTMLElement): void {
  const fields = row.querySelector('.canvas-fields');
  const isBeside = fields !== null && getComputedStyle(fields).display === 'grid';
  if (isBeside) fields.querySelector('.options')?.setAttribute('open', '');
}

/** The link that adds a question at a place: its own, which a new question has once it is stored, or that of its section. */
const findAddLink = (place: HTMLElement): HTMLAnchorElement | null | undefined =>
  place instanceof HTMLAnchorElement
    ? place
    : (place.querySelector<HTMLAnchorElement>('.canvas-foot a[data-add]') ??
      place.closest('.canvas-section')?.querySelector<HTMLAnchorElement>('p > a[data-add]'));

/** Adds a question of a kind below a row or where a link is, and opens it. What is typed meanwhile is its title. */
async function add(place: HTMLElement, query: string): Promise<void> {
  if (query === 'declaration') {
    const link = findAddLink(place);
    const after = new URLSearchParams(link?.search).get('after') ?? /\/s\/([^/]+)/.exec(link?.pathname ?? '')?.[1];
    if (after !== undefined && (await close(true))) sendAction(`declaration:${after}`);
    return;
  }
  const above = place.closest('.canvas-question');
  startTypeAhead((item) => {
    if (above) above.after(item);
    else place.closest('.canvas-section')?.querySelector('.canvas-questions')?.append(item);
  });
  const row = (await close(true)) ? await loadNew(place, query) : undefined;
  const typed = endTypeAhead(row);
  if (row) begin(row, false);
  else editing?.row.querySelector<HTMLElement>('[data-error-summary], [aria-invalid], #title')?.focus();
  if (row) writeTitle(row, typed);
}

/** Writes what was typed ahead into the title of the open question; what is there otherwise is selected. */
function writeTitle(row: HTMLElement, typed: string): void {
  const title = row.querySelector<HTMLInputElement>('#title');
  if (title && typed !== '') title.value = typed;
  else title?.select();
  if (editing && !isBlank(editing)) isKept = handleTyping(editing);
}

/** Loads the row of a new question. */
async function loadNew(place: HTMLElement, query: string): Promise<HTMLElement | undefined> {
  const link = findAddLink(place);
  if (!link) return undefined;
  const separator = link.search === '' ? '?' : '&';
  const address = `${link.pathname}${link.search}${separator}${query}`;
  const page = await load(`${address}&part=row`, address);
  return page?.querySelector<HTMLElement>('[data-row]') ?? undefined;
}

/**
 * Closes the open question when it is stored; one into which nothing was typed goes. Returns its row, or whether there is none that
 * stays open.
 */
async function close(): Promise<HTMLElement | undefined>;
async function close(isNext: true): Promise<boolean>;
async function close(isNext = false): Promise<HTMLElement | boolean | undefined> {
  const closing = editing;
  if (!closing) return isNext || undefined;
  const isStored = isBlank(closing) || (await saveNow(closing));
  if (!isStored) {
    if (isNext) closing.row.querySelector<HTMLElement>('[data-error-summary], [aria-invalid], #title')?.focus();
    return isNext ? false : undefined;
  }
  closing.isClosed = true;
  if (editing === closing) editing = undefined;
  keepEdit(undefined);
  const { row } = closing;
  if (closing.hasStored) void refreshAround();
  if (isBlank(closing)) row.remove();
  else row.querySelector('.canvas-open')?.remove();
  return isNext || row;
}

/**
 * Shows what follows from the questions beside them: the sentences of rules, what is missing, and what can be published. Without a
 * reply it stays until the page changes.
 */
async function refreshAround(): Promise<void> {
  refreshes += 1;
  const current = refreshes;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const page = parsePage(await response.text());
  if (current !== refreshes) return;
  morphEach(document, page, '.site-header');
  for (const section of document.querySelectorAll('.canvas-section')) {
    const next = page.getElementById(section.id);
    if (next) morphEach(section, next, ':scope > .canvas-rules');
    // Also the rows of a table that begins, ends or is named elsewhere now.
    for (const row of section.querySelectorAll('.canvas-question:not(:has(> .canvas-open))')) {
      const stored = page.getElementById(row.id);
      if (stored) morphEach(row, stored, ':scope > .canvas-closed');
    }
  }
  morphEach(document, page, '.publish-faults, .overview > :is(h2, .tasks, .notice)');
}

/** Morphs elements into those at the same places of another page; what is no longer there goes, what a person has opened stays so. */
function morphEach(root: ParentNode, page: ParentNode, selector: string): void {
  const next = page.querySelectorAll(selector);
  for (const [index, shown] of root.querySelectorAll(selector).entries()) {
    const stored = next[index];
    if (stored) Idiomorph.morph(shown, stored, { callbacks: { beforeAttributeUpdated: keepOpen } });
    else shown.remove();
  }
}

/** After a question was copied its copy is opened; after the first section was added, the menu of kinds. */
function continueAfterChange(): void {
  const next = afterChange;
  afterChange = undefined;
  refreshes += 1;
  if (editing && !editing.row.isConnected) editing = undefined;
  const changed = document.getElementById(location.hash.slice(1));
  if (next === 'open') void open(changed?.querySelector<HTMLElement>('.canvas-head') ?? changed);
  if (next === 'copy') {
    focusTypeAhead();
    // What is the same in a copy stays, its title is typed.
    void open(changed).then(() => {
      const typed = endTypeAhead();
      if (!changed || editing?.row !== changed) return;
      writeTitle(changed, typed);
      // The original, above it, has closed meanwhile.
      changed.querySelector('#title')?.scrollIntoView({ block: 'nearest' });
    });
  }
  // It is the question that was asked for.
  if (next === 'add') document.querySelector('[data-flash]')?.remove();
  const link = next === 'add' ? document.querySelector<HTMLAnchorElement>('.canvas-section a[data-add]') : null;
  if (link) openTypeMenu((query) => void add(link, query));
}

/** Sends what was kept when a page was closed; what is refused is opened, with the reason. */
async function restore({ action, body }: KeptEdit): Promise<boolean> {
  const response = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(body),
    headers: { accept: 'application/json, text/html' },
  }).catch(() => undefined);
  if (!response?.headers.get('content-type')?.startsWith('text/html')) return response?.status === 404;
  const page = parsePage(await response.text());
  const replied = page.querySelector<HTMLElement>('[data-row]');
  if (!replied) return false;
  // Its fields are taken from the reply, so what is appended is a copy.
  const row = document.getElementById(replied.id) ?? appendRow(document.importNode(replied, true), action);
  if (!row) return false;
  if (response.ok) {
    showStored(row, page);
    row.querySelector('.canvas-open')?.remove();
    showState(readTexts().saved ?? '', 'good');
    return true;
  }
  if (editing) return false;
  await open(row, page);
  if (editing) isKept = handleTyping(editing);
  return isKept;
}

/** Shows a question that was new when it was kept, in its section. */
function appendRow(row: HTMLElement, action: string): HTMLElement | undefined {
  const section = /\/s\/([^/]+)\/new/.exec(action)?.[1] ?? '';
  const list = document.getElementById(`s-${section}`)?.querySelector('.canvas-questions');
  list?.append(row);
  return list ? row : undefined;
}
