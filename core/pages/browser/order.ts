/** The order of questions changes by dragging a handle, and by the arrow keys on it; the fields follow, and nothing is stored. */
import { announce, prepareAnnouncer } from './announce.ts';
import { dragByHandle } from './sortable.ts';
import { fill } from './texts.ts';

const improvedForms = new WeakSet<HTMLFormElement>();

/** Improves the form, also after its content was replaced. */
export function orderInPlace(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-order]');
  if (!form) return;
  for (const handle of form.querySelectorAll<HTMLElement>('[data-handle]')) handle.hidden = false;
  if (improvedForms.has(form)) return;
  improvedForms.add(form);
  prepareAnnouncer();
  const lists = (): HTMLElement[] => [...form.querySelectorAll<HTMLElement>('ol.order')];
  const report = (item: HTMLElement): void => {
    for (const list of lists()) writeNumbers(list);
    const list = item.closest<HTMLElement>('ol.order');
    const position = [...(list?.children ?? [])].indexOf(item) + 1;
    announce(fill(form.dataset.order ?? '', { title: item.querySelector('h3')?.textContent ?? '', position }));
  };
  dragByHandle(form, { items: 'ol.order > li', lists, onDrop: report });
  form.addEventListener('keydown', (event) => {
    const handle = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-handle]') : null;
    const item = handle?.closest('li');
    if (!handle || !item || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    if (moveByOne(item, event.key === 'ArrowUp' ? -1 : 1, lists())) report(item);
    handle.focus();
  });
}

/** Moves an item by one place, beyond the ends of a list to the next one. Returns whether there is such a place. */
function moveByOne(item: HTMLElement, step: -1 | 1, lists: readonly HTMLElement[]): boolean {
  const neighbour = step === -1 ? item.previousElementSibling : item.nextElementSibling;
  const list = lists[lists.findIndex((candidate) => candidate.contains(item)) + step];
  if (neighbour) neighbour[step === -1 ? 'before' : 'after'](item);
  else if (list) list[step === -1 ? 'append' : 'prepend'](item);
  else return false;
  return true;
}

/** Writes the places of the items of a list into their fields. */
function writeNumbers(list: HTMLElement): void {
  for (const [index, item] of [...list.children].entries()) {
    const number = item.querySelector<HTMLInputElement>('input[name^="n."]');
    const section = item.querySelector<HTMLInputElement>('input[name^="s."]');
    if (number) number.value = String(index + 1);
    if (section) section.value = list.dataset.section ?? '';
  }
}
