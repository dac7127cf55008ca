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
    removeRow(form, row);
  } else return false;
  event.preventDefault();
  return true;
}

/** Does what a button of the choices does, without the service. Returns whether it is one that needs no service. */
export function pressChoiceButton(form: HTMLFormElement, button: string): boolean {
  const [action, position] = button.split(':');
  const rows = rowsOf(form);
  const row = rows[Number(position)];
  const last = rows.at(-1);
  if (action === 'add-choice' && !rows.every(isOther)) addChoice(form);
  else if (action === 'add-other' && last) addOther(form, last);
  else if (action === 'choice-up' && row) moveRow(form, row, rows[rows.indexOf(row) - 1], 'before');
  else if (action === 'choice-down' && row) moveRow(form, row, rows[rows.indexOf(row) + 1], 'after');
  else if (action === 'choice-remove' && row && rows.length > 1) removeRow(form, row);
  else return false;
  return true;
}

/** Moves a row beside its neighbour; the focus stays on the button, or goes to the name where it can move no further. */
function moveRow(
  form: HTMLFormElement,
  row: HTMLElement,
  neighbour: HTMLElement | undefined,
  side: 'before' | 'after',
) {
  const { activeElement } = document;
  neighbour?.[side](row);
  numberRows(form);
  if (activeElement instanceof HTMLElement && row.contains(activeElement) && !activeElement.hidden)
    activeElement.focus();
  else nameOf(row)?.focus();
}

/** Removes a row; the focus goes to the name of the one above, or below the first. */
function removeRow(form: HTMLFormElement, row: HTMLElement): void {
  const index = rowsOf(form).indexOf(row);
  row.remove();
  numberRows(form);
  nameOf(rowsOf(form)[Math.max(index - 1, 0)])?.focus();
}

/** Adds the choice with a text of the respondent, of which there is one at most. */
function addOther(form: HTMLFormElement, last: Element): void {
  if (rowsOf(form).some(isOther)) return;
  const row = insertChoice(form, last, '');
  const other = row.querySelector<HTMLInputElement>('[name="choice.other"]');
  if (other) other.value = 'yes';
  nameOf(row)?.setAttribute('placeholder', readTexts().other ?? '');
  numberRows(form);
  nameOf(row)?.focus();
}

/** Adds an empty choice behind a row, by default the last one that is no other choice, and moves the focus to it. */
function addChoice(form: HTMLFormElement, after?: Element): void {
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

/** Gives the controls of the rows the ids, positions and labels of their places, and offers the buttons that do something. */
function numberRows(form: HTMLFormElement): void {
  const texts = readTexts();
  const rows = rowsOf(form);
  for (const [index, row] of rows.entries()) {
    const name = nameOf(row);
    const description = row.querySelector('textarea');
    const label = isOther(row) ? texts.otherName : fill(texts.choice, { n: index + 1 });
    if (name) {
      name.id = `choice-${index}`;
      name.setAttribute('aria-label', label ?? '');
    }
    if (description) description.id = `choice-description-${index}`;
    const said = { name: name?.value || (label ?? '') };
    const limit = row.querySelector('.choice-limit');
    if (limit) limit.id = `choice-limit-${index}`;
    for (const button of row.querySelectorAll('button')) {
      const [action = ''] = button.value.split(':');
      button.value = `${action}:${index}`;
      button.hidden =
        (action === 'choice-up' && index === 0) || (action === 'choice-down' && index === rows.length - 1);
      const text = { 'choice-up': texts.choiceUp, 'choice-down': texts.choiceDown }[action] ?? texts.removeChoice;
      button.title = fill(text, said);
      button.setAttribute('aria-label', button.title);
    }
  }
  const addsOther = form.querySelector<HTMLElement>('button[value="add-other"]');
  if (addsOther) addsOther.hidden = rows.some(isOther);
}
