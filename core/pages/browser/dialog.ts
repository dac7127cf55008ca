/** Links to a page that asks for confirmation open its question in a dialog above the page. */
import { fetchPage } from './next-page.ts';
import { hasUnsaved } from './unsaved.ts';

/** Opens the pages of links with `data-dialog` as dialogs over the current page. */
export function openDialogs(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-dialog]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // The page itself opens, and the browser asks before: what was typed would be lost after the confirmation.
    if (hasUnsaved()) return;
    event.preventDefault();
    void openDialog(link.href);
  });
}

/** Opens the page itself if it is not there, or has fields that the page below has too. */
async function openDialog(href: string): Promise<void> {
  const page = await fetchPage(href);
  if (findDialog()) return;
  const content = findContent(page);
  if (!content || [...content.querySelectorAll('[id]')].some(({ id }) => document.getElementById(id))) {
    location.assign(href);
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || (target !== dialog && !target.closest('[data-cancel]'))) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  fill(dialog, content);
  dialog.showModal();
}

/** Shows the result of a form of the dialog. Returns whether the page has anything for it. */
export function replaceDialog(page: Document): boolean {
  const content = findContent(page);
  const dialog = findDialog();
  if (content && dialog) fill(dialog, content);
  return content !== undefined && dialog !== null;
}

/** Closes the dialog; the focus returns to its link. */
export function closeDialog(): void {
  const dialog = findDialog();
  dialog?.close();
  dialog?.remove();
}

const findDialog = (): HTMLDialogElement | null => document.querySelector<HTMLDialogElement>('dialog[open]');

const findContent = (page: Document | undefined): HTMLElement | undefined =>
  page?.querySelector<HTMLElement>('[data-confirmation]') ?? undefined;

/** Enter must not press the button that deletes: the focus starts in the field, or on the way back. */
function fill(dialog: HTMLDialogElement, content: HTMLElement): void {
  dialog.replaceChildren(content);
  const title = content.querySelector('h1');
  dialog.setAttribute('aria-label', title?.textContent ?? '');
  const first =
    content.querySelector<HTMLElement>('input:not([type="hidden"])') ?? content.querySelector('[data-cancel]');
  first?.setAttribute('autofocus', '');
}
