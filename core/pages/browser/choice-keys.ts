/**
 * Choices are typed as a list: Enter makes the next one, pasted lines become choices, Backspace in an empty one removes it, the
 * arrow keys go from one to the next.
 */
import { readTexts } from './editing.ts';
import { fill } from './texts.ts';

const rowsOf = (form: Element): HTMLElement[] => [...form.querySelectorAll<HTMLElement>('.choice-row')];
const nameOf = (row: Element | undefined): HTMLInputElement | null =>
  row?.querySelector<HTMLInputElement>('[name="choice.name"]') ?? null;
const isOther = (row: Element): boolean =>
  row.querySelector<HTMLInputElement>('[name="choice.other"]')?.value === 'yes';

/** Handles a key in the name of a choice. Returns whether the choices have changed or the focus has moved. */
export function handleChoiceKey(event: KeyboardEvent, form: HTMLFormElement): boolean {
  const { target: name, key } = event;
  const row =
    name instanceof HTMLInputElement && name.name === 'choice.name' ? name.closest<HTMLElement>('.choice-row') : null;
  if (!row || !(name instanceof HTMLInputElement) || event.isComposing) return false;
  const rows = rowsOf(form);
  const index = rows.indexOf(row);
  const next = rows[index + 1];
  if (key === 'Enter' && next && !isOther(next) && nameOf(next)?.value === '') nameOf(next)?.focus();
  else if (key === 'Enter') addChoice(form, row);
  else if (key === 'ArrowUp' || key === 'ArrowDown') {
    const neighbour = nameOf(rows[index + (key === 'ArrowUp' ? -1 : 1)]);
    if (!neighbour) return false;
    neighbour.focus();
  } else if (key === 'Backspace' && name.value === '' && rows.length > 1 && !isOther(row)) {
    row.remove();
    numberRows(form);
    nameOf(rows[index === 0 ? 1 : index - 1])?.focus();
  } else return false;
  event.preventDefault();
  return true;
}

/** Adds an empty choice behind a row, by default the last one that is no other choice, and moves the focus to it. */
export function addChoice(form: HTMLFormElement, after?: Element): void {
  const rows = rowsOf(form);
  const last = rows.findLast((row) => !isOther(row));
  const above = after && !isOther(after) ? after : last;
  const row = above && insertChoice(form, above, '');
  nameOf(row)?.focus();
}

/** Fills in pasted lines as choices, the first into the row itself. Returns whether there were several. */
export function pasteChoices(form: HTMLFormElement, name: HTMLInputElement, text: string): boolean {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  let row = name.closest('.choice-row');
  const [first = '', ...others] = lines;
  if (!row || others.length === 0 || isOther(row)) return false;
  name.setRangeText(first, name.selectionStart ?? 0, name.selectionEnd ?? 0, 'end');
  for (const line of others) row = insertChoice(form, row, line);
  nameOf(row)?.focus();
  return true;
}

/** Inserts a choice behind a row. */
function insertChoice(form: HTMLFormElement, above: Element, name: string): HTMLElement {
  const row = above.cloneNode(true) as HTMLElement;
  for (const error of row.querySelectorAll('.error')) error.remove();
  row.classList.remove('invalid');
  for (const field of row.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    field.value = '';
    field.removeAttribute('value');
    if (field instanceof HTMLTextAreaElement) field.textContent = '';
  }
  const typed = nameOf(row);
  if (typed) typed.value = name;
  above.after(row);
  numberRows(form);
  return row;
}

/** Gives the controls of the rows the ids, positions and labels of their places. */
function numberRows(form: HTMLFormElement): void {
  const label = readTexts().choice;
  for (const [index, row] of rowsOf(form).entries()) {
    const name = nameOf(row);
    const description = row.querySelector('textarea');
    if (name) {
      name.id = `choice-${index}`;
      if (!isOther(row)) name.setAttribute('aria-label', fill(label, { n: index + 1 }));
    }
    if (description) description.id = `choice-description-${index}`;
    for (const button of row.querySelectorAll('button')) {
      const [action = '', hasIndex] = button.value.split(':');
      if (hasIndex !== undefined) button.value = `${action}:${index}`;
    }
  }
}
