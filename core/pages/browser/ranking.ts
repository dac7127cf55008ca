/** Rankings change in place: by the buttons, and by dragging a ranked choice up or down by its handle. */
import { announce } from './announce.ts';
import { dragByHandle } from './sortable.ts';
import { fill, type Texts } from './texts.ts';

/** Improves every ranking of a form, also those that are rendered later. */
export function rankInPlace(form: HTMLFormElement, texts: Texts): void {
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null;
    const item = button?.closest('li');
    const ranking = item?.closest<HTMLElement>('[data-ranking]');
    if (!button || !item || !ranking) return;
    event.preventDefault();
    // Moved as far as it goes, the choice stays, and the focus on its button.
    if (isAtEnd(item, button)) return;
    move(ranking, item, button.dataset.move ?? '');
    reportChange(ranking, item, texts);
    findVisibleButton(item, button).focus();
  });
  dragByHandle(form, {
    items: '[data-ranking] .ranked > li',
    onDrop(item) {
      const ranking = item.closest<HTMLElement>('[data-ranking]');
      if (!ranking) return;
      nameInputs(ranking);
      reportChange(ranking, item, texts);
    },
  });
}

/** Ranks exactly some choices, in their order. */
export function setOrder(ranking: HTMLElement, choiceIds: readonly string[]): void {
  const items = [...ranking.querySelectorAll<HTMLElement>('li')];
  const ranked = choiceIds.flatMap((id) => items.find(({ dataset }) => dataset.choice === id) ?? []);
  ranking.querySelector('.unranked')?.append(...items.filter((item) => !ranked.includes(item)));
  ranking.querySelector('.ranked')?.append(...ranked);
  nameInputs(ranking);
}

/** Whether a choice is the first one, for the button that moves it up, or the last one, for the other button. */
const isAtEnd = (item: Element, { dataset }: HTMLElement): boolean =>
  (dataset.move === 'up' && !item.previousElementSibling) || (dataset.move === 'down' && !item.nextElementSibling);

/** Returns the pressed button if it is still visible, otherwise another button of the item. */
const findVisibleButton = (item: Element, button: HTMLElement): HTMLElement =>
  button.checkVisibility()
    ? button
    : ([...item.querySelectorAll<HTMLElement>('[data-move]')].find(
        (candidate) => candidate.checkVisibility() && !isAtEnd(item, candidate),
      ) ?? button);

function move(ranking: HTMLElement, item: Element, direction: string): void {
  const ranked = ranking.querySelector('.ranked');
  const unranked = ranking.querySelector('.unranked');
  if (direction === 'add') ranked?.append(item);
  else if (direction === 'remove') unranked?.append(item);
  else if (direction === 'up') item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  nameInputs(ranking);
}

/**
 * Adds a hidden input to each ranked choice, in their order, and removes it from the others; the buttons that lead no
 * further say so.
 */
function nameInputs(ranking: HTMLElement): void {
  const question = ranking.closest<HTMLElement>('[data-question]')?.dataset.question ?? '';
  for (const item of ranking.querySelectorAll<HTMLElement>('li')) {
    for (const button of item.querySelectorAll<HTMLElement>('[data-move]'))
      button.setAttribute('aria-disabled', String(isAtEnd(item, button)));
    const input = item.querySelector('input');
    if (!item.closest('.ranked')) input?.remove();
    else if (!input) {
      const newInput = document.createElement('input');
      newInput.type = 'hidden';
      newInput.name = `q.${question}`;
      newInput.value = item.dataset.choice ?? '';
      item.prepend(newInput);
    }
  }
}

/** Reports a changed order to the autosave, and announces it. */
function reportChange(ranking: HTMLElement, item: Element, texts: Texts): void {
  ranking.dispatchEvent(new Event('change', { bubbles: true }));
  const position = [...(ranking.querySelector('.ranked')?.children ?? [])].indexOf(item) + 1;
  const name = item.querySelector('.rank-name')?.textContent ?? '';
  announce(position > 0 ? fill(texts.moved, { name, position }) : fill(texts.unranked, { name }));
}
