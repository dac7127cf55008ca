/** The error at a question, and its line in the summary at the top of the page. */
import { findQuestion } from './question.ts';

/** Shows the error of a question; without a message, removes it there and from the summary. */
export function showError(form: HTMLFormElement, questionId: string, message: string | undefined): void {
  const question = findQuestion(form, questionId);
  if (!question) return;
  const id = `q-${questionId}-error`;
  const existingError = document.getElementById(id);
  question.classList.toggle('invalid', message !== undefined);
  for (const control of question.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  if (message === undefined) {
    existingError?.remove();
    removeFromSummary(form, questionId);
    return;
  }
  const error = existingError ?? document.createElement('p');
  error.id = id;
  error.className = 'error';
  const prefix = document.createElement('span');
  prefix.className = 'visually-hidden';
  prefix.textContent = form.dataset.errorPrefix ?? '';
  error.replaceChildren(prefix, message);
  if (!existingError) question.querySelector('input[name^="s."]')?.before(error);
  const control = question.querySelector('input:not([type="hidden"]), select, textarea');
  control?.setAttribute('aria-invalid', 'true');
  const describedBy = control?.getAttribute('aria-describedby')?.split(' ') ?? [];
  if (!describedBy.includes(id)) control?.setAttribute('aria-describedby', [...describedBy, id].join(' '));
}

/** Removes the error from the summary; with the last error, also the summary and the prefix of the page title. */
function removeFromSummary(form: HTMLFormElement, questionId: string): void {
  const summary = form.querySelector('.error-summary');
  summary
    ?.querySelector(`a[href="#q-${CSS.escape(questionId)}"]`)
    ?.closest('li')
    ?.remove();
  if (!summary || summary.querySelector('li')) return;
  summary.remove();
  document.title = document.title.slice(Math.max(0, document.title.indexOf(form.dataset.title ?? '')));
}
