/** The menu of the kinds of questions: typing filters it, Enter takes the first, the arrow keys choose. */

let choose: ((query: string) => void) | undefined;

const findMenu = (): HTMLDialogElement | null => document.querySelector<HTMLDialogElement>('#type-menu');

/** Opens the menu. `onChoose` gets what the address of the chosen kind has, such as `type=DATE`, or `declaration`. */
export function openTypeMenu(onChoose: (query: string) => void): void {
  const menu = findMenu();
  const search = menu?.querySelector('input');
  if (!menu || !search) return;
  choose = onChoose;
  search.value = '';
  filter(menu, '');
  menu.showModal();
}

/** Lets the menu be used, also after the page has changed. */
export function handleTypeMenu(): void {
  document.addEventListener('input', ({ target }) => {
    const menu = findMenu();
    if (menu && target instanceof HTMLInputElement && target.id === 'type-search') filter(menu, target.value);
  });
  document.addEventListener('click', ({ target }) => {
    const menu = findMenu();
    if (!menu?.open || !(target instanceof Element)) return;
    const kind = target.closest<HTMLElement>('[data-kind]');
    if (kind || target === menu) menu.close();
    if (kind) choose?.(kind.dataset.kind ?? '');
  });
  document.addEventListener('keydown', (event) => {
    const menu = findMenu();
    if (!menu?.open || !['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
    const offered = [...menu.querySelectorAll<Element>('li:not([hidden]) [data-kind]')].filter(
      (kind) => kind instanceof HTMLElement,
    );
    const { activeElement } = document;
    const index = activeElement instanceof HTMLElement ? offered.indexOf(activeElement) : -1;
    event.preventDefault();
    if (event.key === 'Enter') offered[Math.max(index, 0)]?.click();
    else (offered[index + (event.key === 'ArrowDown' ? 1 : -1)] ?? menu.querySelector('input'))?.focus();
  });
}

function filter(menu: HTMLElement, text: string): void {
  const typed = text.trim().toLowerCase();
  const items = [...menu.querySelectorAll<HTMLElement>('li')];
  for (const item of items) item.hidden = !item.textContent?.toLowerCase().includes(typed);
  const none = menu.querySelector<HTMLElement>(':scope > p');
  if (none) none.hidden = items.some(({ hidden }) => !hidden);
}
