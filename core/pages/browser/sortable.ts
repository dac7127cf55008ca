/** Lists whose items are dragged up and down by a handle, so that a finger on the rest of an item scrolls. */

type Sortable = {
  /** The items that can be dragged; each has a `[data-handle]`. */
  items: string;
  /** The lists between which an item can be dragged, in their order; none for lists of their own. */
  lists?: () => readonly HTMLElement[];
  /** Called after an item was dropped at another place. */
  onDrop(item: HTMLElement): void;
};

/** Lets the items within an element be dragged, also those that are rendered later. */
export function dragByHandle(root: HTMLElement, sortable: Sortable): void {
  root.addEventListener('pointerdown', (event) => startDrag(event, sortable));
}

function startDrag(event: PointerEvent, { items, lists = () => [], onDrop }: Sortable): void {
  const target = event.target instanceof Element ? event.target : null;
  const item = target?.closest('[data-handle]')?.closest<HTMLElement>(items);
  if (!item || event.button !== 0) return;
  event.preventDefault();
  item.setPointerCapture(event.pointerId);
  item.dataset.dragged = '';
  let isMoved = false;
  const follow = ({ clientY }: PointerEvent): void => {
    if (!follows(item, clientY, lists())) return;
    isMoved = true;
    // Moving the element in the document releases the pointer.
    item.setPointerCapture(event.pointerId);
  };
  const endDrag = (): void => {
    item.removeEventListener('pointermove', follow);
    delete item.dataset.dragged;
    if (isMoved) onDrop(item);
  };
  item.addEventListener('pointermove', follow);
  item.addEventListener('pointerup', endDrag, { once: true });
  item.addEventListener('pointercancel', endDrag, { once: true });
}

/** Moves an item to where the pointer is, by one place at most. Returns whether it has moved. */
function follows(item: HTMLElement, clientY: number, lists: readonly HTMLElement[]): boolean {
  const [before, after] = [item.previousElementSibling, item.nextElementSibling];
  const index = lists.findIndex((list) => list.contains(item));
  const [above, below] = index === -1 ? [] : [lists[index - 1], lists[index + 1]];
  if (before && clientY < findMiddle(before)) before.before(item);
  else if (after && clientY > findMiddle(after)) after.after(item);
  else if (!before && above && clientY < above.getBoundingClientRect().bottom) above.append(item);
  else if (!after && below && clientY > below.getBoundingClientRect().top) below.prepend(item);
  else return false;
  return true;
}

function findMiddle(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
