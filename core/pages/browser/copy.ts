/** Buttons that need scripts: they copy a link, or print the page; without scripts they are hidden. */

export function offerCopies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    // Only secure origins have a clipboard.
    if (!('clipboard' in navigator)) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      button.textContent = button.dataset.copied ?? '';
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}
