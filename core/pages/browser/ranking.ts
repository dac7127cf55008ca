/** Rankings change in place: by the buttons, and by dragging a ranked choice up or down by its handle. */
import { announce } from './announce.ts';
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
  form.addEventListener('pointerdown', (event) => startDrag(event, texts));
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

function startDrag(event: PointerEvent, texts: Texts): void {
  const target = event.target instanceof Element ? event.target : null;
  const item = target?.closest('[data-handle]')?.closest<HTMLElement>('.ranked > li');
  const ranking = item?.closest<HTMLElement>('[data-ranking]');
  if (!item || !ranking || event.button !== 0) return;
  event.preventDefault();
  item.setPointerCapture(event.pointerId);
  item.dataset.dragged = '';
  let isMoved = false;
  const follow = ({ clientY }: PointerEvent): void => {
    const before = item.previousElementSibling;
    const after = item.nextElementSibling;
    if (before && clientY < middleOf(before)) before.before(item);
    else if (after && clientY > middleOf(after)) after.after(item);
    else return;
    isMoved = true;
    // Moving the element in the document releases the pointer.
    item.setPointerCapture(event.pointerId);
  };
  const endDrag = (): void => {
    item.removeEventListener('pointermove', follow);
    delete item.dataset.dragged;
    if (isMoved) reportChange(ranking, item, texts);
  };
  item.addEventListener('pointermove', follow);
  item.addEventListener('pointerup', endDrag, { once: true });
  item.addEventListener('pointercancel', endDrag, { once: true });
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
