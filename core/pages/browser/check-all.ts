/** Buttons that check or uncheck all boxes of a field at once; without scripts they are hidden. */

export function checkAll(): void {
  for (const buttons of document.querySelectorAll<HTMLElement>('[data-check-all]')) {
    const boxes = buttons.closest('fieldset')?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [];
    buttons.hidden = false;
    buttons.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-check]') : null;
      if (!button) return;
      for (const box of boxes) box.checked = button.dataset.check === 'on';
    });
  }
}
