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
    move(ranking, item, button.dataset.move ?? '');
    reportChange(ranking, item, texts);
    findVisibleButton(item, button).focus();
  });
  dragByHandle(form, {
    items: '[data-ranking] .ranked > li',
    onDrop(item) {
      const ranking = item.closest<HTMLElement>('[data-ranking]');
      if (ranking) reportChange(ranking, item, texts);
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

/** Returns the pressed button if it is still visible, otherwise another button of the item. */
const findVisibleButton = (item: Element, button: HTMLElement): HTMLElement =>
  button.checkVisibility({ visibilityProperty: true })
    ? button
    : ([...item.querySelectorAll<HTMLElement>('[data-move]')].find((candidate) =>
        candidate.checkVisibility({ visibilityProperty: true }),
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

/** Adds a hidden input to each ranked choice, in their order, and removes it from the others. */
function nameInputs(ranking: HTMLElement): void {
  const question = ranking.closest<HTMLElement>('[data-question]')?.dataset.question ?? '';
  for (const item of ranking.querySelectorAll<HTMLElement>('li')) {
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
