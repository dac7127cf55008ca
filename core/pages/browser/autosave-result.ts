/** Shows what the server made of saved answers: errors, answers that were changed elsewhere, new choices. */

/** The result of the server; `section-script.ts` makes it. */
export type SavedByScript = {
  at: string;
  step: string;
  questions: Record<string, { stamp: string; error?: string; conflict?: string }>;
  replaced: Record<string, string>;
  problem?: string;
};

/** Updates the page, and `marked`: the questions with an error, or with an answer that was changed elsewhere. */
export function showResult(
  form: HTMLFormElement,
  { questions, replaced, step }: SavedByScript,
  changed: ReadonlySet<string>,
  marked: Set<string>,
): void {
  for (const [id, { stamp, error, conflict }] of Object.entries(questions)) {
    const question = find(form, id);
    if (!question) continue;
    const input = form.elements.namedItem(`s.${id}`);
    if (input instanceof HTMLInputElement) input.value = stamp;
    // While somebody goes on typing, an error would be about what they typed before.
    if (!changed.has(id)) showError(question, error);
    showConflict(question, conflict);
    if (error === undefined && conflict === undefined) marked.delete(id);
    else marked.add(id);
  }
  for (const [id, html] of Object.entries(replaced)) {
    if (changed.has(id)) continue;
    replace(form, id, html);
    marked.delete(id);
  }
  const text = document.querySelector('.progress-text .muted');
  if (text) text.textContent = step;
}

const find = (form: HTMLFormElement, id: string): HTMLElement | null =>
  form.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"]`);

function showError(question: HTMLElement, message: string | undefined): void {
  const id = `q-${question.dataset.question}-error`;
  const shown = document.getElementById(id);
  question.classList.toggle('invalid', message !== undefined);
  for (const control of question.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  if (message === undefined) {
    shown?.remove();
    return;
  }
  const error = shown ?? document.createElement('p');
  error.id = id;
  error.className = 'error';
  error.textContent = message;
  question.querySelector('input[name^="s."]')?.before(error);
  const control = question.querySelector('input:not([type="hidden"]), select, textarea');
  control?.setAttribute('aria-invalid', 'true');
  const described = control?.getAttribute('aria-describedby')?.split(' ') ?? [];
  if (!described.includes(id)) control?.setAttribute('aria-describedby', [...described, id].join(' '));
}

function showConflict(question: HTMLElement, html: string | undefined): void {
  question.querySelector('[data-conflict]')?.remove();
  if (html !== undefined) question.querySelector('input[name^="s."]')?.insertAdjacentHTML('beforebegin', html);
}

function replace(form: HTMLFormElement, id: string, html: string): void {
  const question = find(form, id);
  if (!question) return;
  const hadFocus = question.contains(document.activeElement);
  question.outerHTML = html;
  if (hadFocus) find(form, id)?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')?.focus();
}
