/** Menus from which one thing is picked, such as the kind of a question: typing filters, Enter takes the best, arrow keys choose. */
import { rankEntry } from '../builder/search-rank.ts';

let choose: ((item: HTMLElement) => void) | undefined;

const openMenu = (): HTMLDialogElement | null => document.querySelector<HTMLDialogElement>('dialog.type-menu[open]');

/** Opens a menu by its id. `onChoose` gets the button that was pressed; links in it are followed. */
export function openPickMenu(id: string, onChoose: (item: HTMLElement) => void): HTMLDialogElement | undefined {
  const menu = document.getElementById(id);
  if (!(menu instanceof HTMLDialogElement)) return undefined;
  choose = onChoose;
  restart(menu);
  if (!menu.open) menu.showModal();
  return menu;
}

/** Shows all that a menu offers, after that has changed, or what matches what was typed meanwhile. */
export function offer(menu: HTMLElement, list: Element): void {
  menu.querySelector('ul')?.replaceWith(list);
  filter(menu, menu.querySelector('input')?.value ?? '');
}

function restart(menu: HTMLElement): void {
  const search = menu.querySelector('input');
  if (search) search.value = '';
  filter(menu, '');
  search?.focus();
}

/** Lets the menus be used, also after the page has changed. */
export function handlePickMenus(): void {
  document.addEventListener('input', ({ target }) => {
    const menu = openMenu();
    if (menu && target instanceof HTMLInputElement && menu.contains(target)) filter(menu, target.value);
  });
  document.addEventListener('click', ({ target }) => {
    const menu = openMenu();
    if (!menu || !(target instanceof Element)) return;
    const item = target.closest<HTMLElement>('li button');
    if (item || target === menu) menu.close();
    if (item) choose?.(item);
  });
  document.addEventListener('keydown', (event) => {
    const menu = openMenu();
    if (!menu || event.isComposing || !['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
    const offered = [...menu.querySelectorAll<HTMLElement>('li:not([hidden]) :is(button, a)')];
    const { activeElement } = document;
    const index = activeElement instanceof HTMLElement ? offered.indexOf(activeElement) : -1;
    event.preventDefault();
    if (event.key === 'Enter') offered[Math.max(index, 0)]?.click();
    else (offered[index + (event.key === 'ArrowDown' ? 1 : -1)] ?? menu.querySelector('input'))?.focus();
  });
}

/** The order in which each list was rendered. */
const rendered = new WeakMap<Element, HTMLElement[]>();

/** Hides what does not fit the typed text, and shows the rest, the best first; without a text all as it was rendered. */
function filter(menu: HTMLElement, text: string): void {
  const list = menu.querySelector('ul');
  const items = (list && rendered.get(list)) ?? [...menu.querySelectorAll<HTMLElement>('li')];
  const ranked = items.map((item) => ({ item, rank: text.trim() === '' ? 0 : rankEntry(readEntry(item), text) }));
  for (const { item, rank } of ranked) item.hidden = rank === undefined;
  if (list) {
    rendered.set(list, items);
    list.append(...ranked.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ item }) => item));
  }
  const none = menu.querySelector<HTMLElement>('[data-none]');
  if (none) none.hidden = items.length === 0 || items.some(({ hidden }) => !hidden);
}

/** Reads what an item says: its name, and its explanation with the words that find it. */
function readEntry(item: HTMLElement): Parameters<typeof rankEntry>[0] {
  const hint = item.querySelector('.muted')?.textContent ?? '';
  const said = item.textContent ?? '';
  return { name: hint === '' ? said : said.replace(hint, ''), others: `${hint} ${item.dataset.words ?? ''}` };
}
