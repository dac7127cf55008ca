/** Takes what is typed while a question is on its way to the page, which begins with that. */
import { readTexts } from './editing.ts';

let item: HTMLElement | undefined;

/** Shows a field where the question will be, and moves the focus to it. */
export function startTypeAhead(place: (item: HTMLElement) => void): void {
  endTypeAhead();
  item = document.createElement('li');
  item.className = 'canvas-question type-ahead';
  // Stays when the page is replaced by its next state, and is taken for no other row.
  item.id = 'type-ahead';
  item.dataset.keep = '';
  const field = document.createElement('input');
  field.type = 'text';
  field.setAttribute('aria-label', readTexts().title ?? '');
  item.append(field);
  place(item);
  field.focus();
}

/** Gives the focus back to the field, after something else has taken it. */
export const focusTypeAhead = (): void => item?.querySelector('input')?.focus();

/** Removes the field, for which a question comes if there is one. Returns what was typed. */
export function endTypeAhead(row?: HTMLElement): string {
  const typed = item?.querySelector('input')?.value ?? '';
  if (row) item?.replaceWith(row);
  else item?.remove();
  item = undefined;
  return typed;
}
