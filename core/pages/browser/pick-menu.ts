/** Menus from which one thing is picked, such as the kind of a question: typing filters, Enter takes the first, arrow keys choose. */

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

/** Hides what has not all of the typed words. */
function filter(menu: HTMLElement, text: string): void {
  const words = text.trim().toLowerCase().split(/\s+/);
  const items = [...menu.querySelectorAll<HTMLElement>('li')];
  for (const item of items) {
    const said = item.textContent?.toLowerCase() ?? '';
    item.hidden = !words.every((word) => said.includes(word));
  }
  const none = menu.querySelector<HTMLElement>('[data-none]');
  if (none) none.hidden = items.length === 0 || items.some(({ hidden }) => !hidden);
}
