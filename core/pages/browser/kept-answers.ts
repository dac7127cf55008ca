/** Answers that are not saved yet, kept on the device until they are. Signing out removes them. */

/** For each question the names and values of its controls, with the stamp of the answer they were based on. */
type Kept = Record<string, [name: string, value: string][]>;

const keyOf = (form: HTMLFormElement): string => `unsaved ${new URL(form.action).pathname}`;

/** Keeps the questions that are not saved; without any, forgets what was kept. */
export function keep(form: HTMLFormElement, questions: ReadonlySet<string>): void {
  if (questions.size === 0) {
    forget(form);
    return;
  }
  const kept: Kept = {};
  for (const [name, value] of new FormData(form)) {
    const id = name.slice(2);
    if (typeof value === 'string' && questions.has(id)) kept[id] = [...(kept[id] ?? []), [name, value]];
  }
  try {
    localStorage.setItem(keyOf(form), JSON.stringify(kept));
  } catch {
    // Without storage, what was typed is still in the page.
  }
}

/** Forgets everything that was kept for the form. */
function forget(form: HTMLFormElement): void {
  try {
    localStorage.removeItem(keyOf(form));
  } catch {
    // There is no storage, so nothing was kept.
  }
}

/** Puts kept answers back into their controls. Returns their questions. */
export function restore(form: HTMLFormElement): string[] {
  const kept = read(form);
  const ids = Object.keys(kept).filter((id) => form.querySelector(`[data-question="${CSS.escape(id)}"]`));
  for (const id of ids) restoreQuestion(form, id, kept[id] ?? []);
  return ids;
}

function read(form: HTMLFormElement): Kept {
  try {
    return JSON.parse(localStorage.getItem(keyOf(form)) ?? '{}');
  } catch {
    return {};
  }
}

function restoreQuestion(form: HTMLFormElement, id: string, entries: Kept[string]): void {
  const valuesOf = (name: string): string[] => entries.filter(([each]) => each === name).map(([, value]) => value);
  restoreOrder(form, id, valuesOf(`q.${id}`));
  for (const control of form.elements) {
    if (
      !(
        control instanceof HTMLInputElement ||
        control instanceof HTMLSelectElement ||
        control instanceof HTMLTextAreaElement
      )
    )
      continue;
    if (control.name.slice(2) !== id || control.closest('[data-ranking]')) continue;
    const values = valuesOf(control.name);
    if (control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type)) {
      control.checked = values.includes(control.value);
    } else if (control.type !== 'file') control.value = values[0] ?? '';
  }
}

/** The choices of a ranking, by pressing their buttons. */
function restoreOrder(form: HTMLFormElement, id: string, values: readonly string[]): void {
  const ranking = form.querySelector(`[data-question="${CSS.escape(id)}"] [data-ranking]`);
  if (!ranking) return;
  const press = (item: Element | null, move: string): void =>
    item?.querySelector<HTMLElement>(`[data-move="${move}"]`)?.click();
  for (const item of [...ranking.querySelectorAll('.ranked > li')]) press(item, 'remove');
  for (const value of values) press(ranking.querySelector(`[data-choice="${CSS.escape(value)}"]`), 'add');
}
