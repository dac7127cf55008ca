/**
 * The script of a section that shows one question at a time. All questions stay in one form, which is saved and sent as it always
 * is: the others are only hidden. The fragment of the address names the shown question, so that reloads, links and the history of
 * the browser lead to it.
 */
import { announce, prepareAnnouncer } from './announce.ts';
import { findQuestion, SAVE_NOW } from './question.ts';
import { fill, type Texts } from './texts.ts';

/** The questions of a section; those that are rows of one table are one. */
const CARDS = ':scope > :is(.question, .question-grid)';
/** What the respondent has to look at before they can go on. */
const FAULTS = '.invalid, [data-conflict], [data-retry]';
const CONTROLS = ':is(input, select, textarea, button):enabled:not([type="hidden"])';
/** Keys do not choose while they type. */
const TYPING = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';

const form = document.querySelector<HTMLFormElement>('form[data-one-question]');
if (form) showOneByOne(form, JSON.parse(form.dataset.oneQuestion ?? '{}'));

function showOneByOne(form: HTMLFormElement, texts: Texts): void {
  const step = form.querySelector<HTMLElement>('[data-question-step]');
  const next = form.querySelector<HTMLElement>('[data-next-question]');
  const previous = form.querySelector<HTMLElement>('[data-previous-question]');
  const leave = form.querySelector<HTMLElement>('.section-actions [value="next"]');
  const leaveBack = form.querySelector<HTMLElement>('.section-actions [value="back"]');
  const bar = document.querySelector<HTMLProgressElement>('.progress-bar');
  /** Whether the respondent came for some answers only, and returns from any question. */
  const returns = form.querySelector('[data-returns]') !== null;
  const sectionsBefore = bar?.value ?? 0;
  const again = document.createElement('a');
  const againLine = document.createElement('p');
  let shown = 0;

  const listCards = (): HTMLElement[] => [...form.querySelectorAll<HTMLElement>(CARDS)];
  const hasFault = (card: Element): boolean => card.matches('.invalid') || card.querySelector(FAULTS) !== null;
  const isLast = (): boolean => shown === listCards().length - 1;

  /** Shows the question at a position, and what leads to the others; also when scripts have replaced it. */
  const update = (): void => {
    const cards = listCards();
    for (const [index, card] of cards.entries()) card.hidden = index !== shown;
    const isFirst = shown === 0;
    form.querySelector('.section-description')?.toggleAttribute('hidden', !isFirst);
    next?.toggleAttribute('hidden', isLast());
    leave?.toggleAttribute('hidden', !isLast() && !returns);
    previous?.toggleAttribute('hidden', isFirst);
    leaveBack?.toggleAttribute('hidden', !isFirst);
    const text = fill(texts.step, { n: shown + 1, count: cards.length });
    if (step && step.textContent !== text) step.textContent = text;
    if (bar) bar.value = sectionsBefore + shown / cards.length;
    // The summary of a page with errors lists them all.
    const faulty = form.querySelector('.error-summary') ? -1 : cards.findIndex((card) => card.hidden && hasFault(card));
    if (againLine.hidden !== faulty < 0) againLine.hidden = faulty < 0;
    const hash = buildHash(cards[faulty]);
    if (faulty < 0 || again.hash === hash) return;
    again.href = hash;
    again.textContent = fill(texts.again, { n: faulty + 1 });
  };

  /** Shows the question at a position with the focus on its first control, or on that of a row of its table. */
  const show = (position: number, row?: HTMLElement): void => {
    const previousCard = listCards()[shown];
    const card = listCards()[position];
    if (!card) return;
    shown = position;
    // What was typed is complete once its field has lost the focus, which it does while it is there.
    card.hidden = false;
    scrollTo({ top: 0, behavior: 'instant' });
    focusOn(card, row);
    if (previousCard && previousCard !== card) previousCard.hidden = true;
    update();
    announce(step?.textContent ?? '');
  };

  /** Leads to the question at a position. */
  const goTo = (position: number): void => {
    const card = listCards()[shown];
    const hash = buildHash(listCards()[position]);
    if (location.hash !== hash) history.pushState(history.state, '', hash);
    show(position);
    // Choices that depend on an answer of this question, or of a row of this table, come with its save.
    const dependent = [...form.querySelectorAll<HTMLElement>('[data-choices-of]')];
    const isSource = dependent.some(({ dataset }) => card?.contains(findQuestion(form, dataset.choicesOf ?? '')));
    if (isSource) form.dispatchEvent(new Event(SAVE_NOW));
  };

  const showAddress = (): void => {
    const question = location.hash.startsWith('#q-') ? findQuestion(form, location.hash.slice(3)) : null;
    if (question)
      show(
        listCards().findIndex((card) => card.contains(question)),
        question,
      );
  };

  prepareAnnouncer();
  if (step) step.hidden = false;
  againLine.className = 'error';
  againLine.append(again);
  againLine.hidden = true;
  step?.after(againLine);

  const faulty = listCards().findIndex(hasFault);
  shown = Math.max(faulty, 0);
  update();
  if (faulty < 0) showAddress();

  addEventListener('hashchange', showAddress);
  next?.addEventListener('click', ({ detail }) => {
    // The second click of a double click was meant for the question before.
    if (detail < 2) goTo(shown + 1);
  });
  previous?.addEventListener('click', ({ detail }) => {
    if (detail < 2) goTo(shown - 1);
  });
  for (const button of [leave, leaveBack]) {
    button?.addEventListener('click', (event) => {
      if (event.detail > 1) event.preventDefault();
    });
  }
  form.addEventListener('submit', ({ submitter }) => {
    // In another language, the same question is shown: a redirect keeps the fragment.
    if (submitter instanceof HTMLButtonElement && submitter.value.startsWith('language:'))
      submitter.formAction = location.href;
  });
  document.addEventListener('keydown', (event) => {
    const { target, key, repeat, defaultPrevented } = event;
    // In Safari, the key that ends a composition comes after its end, with this code.
    const isComposing = event.isComposing || event.keyCode === 229;
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (isModified || isComposing || defaultPrevented || !(target instanceof Element)) return;
    if (key === 'Enter' && isLine(form, target)) {
      // On the last question, it presses the button of the section: once.
      if (repeat) event.preventDefault();
      else if (!isLast() && !returns) {
        event.preventDefault();
        goTo(shown + 1);
      }
      return;
    }
    const isElsewhere = target !== document.body && !form.contains(target);
    const card = listCards()[shown];
    if (!/^\d$/.test(key) || repeat || isElsewhere || target.closest(TYPING) || !card) return;
    if (choose(card, target, key)) event.preventDefault();
  });
  new MutationObserver((changes) => {
    update();
    // The page says why it stays: of another question than the shown one, that one is shown.
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    const cards = listCards();
    const position = cards.findIndex(hasFault);
    const card = cards[shown];
    if (!added.some((node) => node instanceof Element && node.matches('[data-press-result]'))) return;
    if (position >= 0 && card && !hasFault(card)) goTo(position);
  }).observe(form, { childList: true, subtree: true, attributeFilter: ['class'] });
}

/** Whether Enter in a control of the form sends it: the control is a line or a choice. */
function isLine(form: HTMLFormElement, target: Element): boolean {
  return target instanceof HTMLInputElement && target.form === form && target.type !== 'file';
}

/** Builds the fragment that names a question, or the first one of a table. */
function buildHash(card: HTMLElement | undefined): string {
  const question = card?.dataset.question === undefined ? card?.querySelector<HTMLElement>('[data-question]') : card;
  return `#q-${question?.dataset.question ?? ''}`;
}

/** Moves the focus to a control of a question or of a row of its table, or to the question itself if it has none. */
function focusOn(card: HTMLElement, row = card): void {
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility());
  const [first] = controls;
  if (!first) card.tabIndex = -1;
  (findChosen(row, first) ?? first ?? card).focus();
}

/**
 * Chooses by a key: the point of a scale with that number, or the choice at that place, in a table in the row with the focus, or else
 * the first without an answer; the focus then goes to the next row. Returns whether there is one.
 */
function choose(card: HTMLElement, target: Element, key: string): boolean {
  const rows = [...card.querySelectorAll<HTMLElement>('tr.question')];
  const row =
    rows.find((each) => each.contains(target)) ??
    rows.find((each) => !each.querySelector(':checked:not([value=""])')) ??
    rows[0];
  const question = row ?? card;
  const inputs = [...question.querySelectorAll<HTMLInputElement>(':is(.choices, .scale, td) input:not([data-other])')];
  const isScale = ['LINEAR_SCALE', 'RATING'].includes(question.dataset.type ?? '');
  const input = isScale ? inputs.find(({ value }) => value === key) : inputs[Number(key) - 1];
  if (!input || input.disabled) return false;
  input.click();
  const nextRow = row && rows[rows.indexOf(row) + 1];
  if (nextRow) focusOn(card, nextRow);
  else input.focus();
  return true;
}

/** Finds the chosen radio button in the group of one. */
function findChosen(root: Element, radio: HTMLElement | undefined): HTMLElement | undefined {
  return radio instanceof HTMLInputElement && radio.type === 'radio'
    ? [...root.querySelectorAll<HTMLInputElement>(':checked')].find(({ name }) => name === radio.name)
    : undefined;
}
