/** What was typed into the forms of a page and not sent. */

/** Whether a field, or a field of a form, differs from what the page came with. */
export function isEdited(element: Element): boolean {
  if (element instanceof HTMLFormElement) return [...element.elements].some(isEdited);
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement) {
    const initial = [...element.options].findLastIndex(({ defaultSelected }) => defaultSelected);
    return element.selectedIndex !== Math.max(0, initial);
  }
  if (!(element instanceof HTMLInputElement) || element.type === 'hidden') return false;
  if (['checkbox', 'radio'].includes(element.type)) return element.checked !== element.defaultChecked;
  return element.value !== element.defaultValue;
}

/** Whether text would be lost. What only tries something out stores nothing anyway. */
export const hasUnsavedText = (): boolean =>
  [...document.querySelectorAll('form[method="post"]:not([data-try]) :is(textarea, input[type="text"])')].some(
    isEdited,
  );
