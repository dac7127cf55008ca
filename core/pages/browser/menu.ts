/** Menus close with Escape, and when something else is pressed or has the focus. Without scripts only their summary closes them. */

export function closeMenus(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus) menu.querySelector('summary')?.focus();
    }
  });
  for (const type of ['pointerdown', 'focusin'] as const) {
    document.addEventListener(type, ({ target }) => {
      for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    });
  }
}

const openMenus = (): Iterable<HTMLDetailsElement> =>
  document.querySelectorAll<HTMLDetailsElement>('details.menu[open]');
