/** Rankings change in place: by the buttons, and by dragging a ranked choice up or down by its handle. */
import { announce } from './announce.ts';
import { fill, type Texts } from './texts.ts';

/** Improves every ranking of a form, also those that are shown anew. */
export function rankInPlace(form: HTMLFormElement, texts: Texts): void {
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null;
    const item = button?.closest('li');
    const ranking = item?.closest<HTMLElement>('[data-ranking]');
    if (!button || !item || !ranking) return;
    event.preventDefault();
    move(ranking, item, button.dataset.move ?? '');
    changed(ranking, item, texts);
    focusable(item, button).focus();
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

/** The pressed button if it is still shown, otherwise another one of the item. */
const focusable = (item: Element, button: HTMLElement): HTMLElement =>
  button.checkVisibility({ visibilityProperty: true })
    ? button
    : ([...item.querySelectorAll<HTMLElement>('[data-move]')].find((each) =>
        each.checkVisibility({ visibilityProperty: true }),
      ) ?? button);

function move(ranking: HTMLElement, item: Element, how: string): void {
  const ranked = ranking.querySelector('.ranked');
  const unranked = ranking.querySelector('.unranked');
  if (how === 'add') ranked?.append(item);
  else if (how === 'remove') unranked?.append(item);
  else if (how === 'up') item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  nameInputs(ranking);
}

/** Ranked choices have a hidden input, in their order; the others have none. */
function nameInputs(ranking: HTMLElement): void {
  const question = ranking.closest<HTMLElement>('[data-question]')?.dataset.question ?? '';
  for (const item of ranking.querySelectorAll<HTMLElement>('li')) {
    const input = item.querySelector('input');
    if (!item.closest('.ranked')) input?.remove();
    else if (!input) {
      const added = document.createElement('input');
      added.type = 'hidden';
      added.name = `q.${question}`;
      added.value = item.dataset.choice ?? '';
      item.prepend(added);
    }
  }
}

/** Tells the autosave, and people who do not see it, that the order has changed. */
function changed(ranking: HTMLElement, item: Element, texts: Texts): void {
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
  const end = (): void => {
    item.removeEventListener('pointermove', follow);
    delete item.dataset.dragged;
    if (isMoved) changed(ranking, item, texts);
  };
  item.addEventListener('pointermove', follow);
  item.addEventListener('pointerup', end, { once: true });
  item.addEventListener('pointercancel', end, { once: true });
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
