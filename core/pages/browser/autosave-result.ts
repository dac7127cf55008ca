/** Shows the result of a save: errors, conflicting answers, removed questions, new choices. */
import { findQuestion } from './question.ts';
import { showError } from './question-error.ts';

/** The result of the server; `section-script.ts` makes it. */
export type SaveResult = {
  at: string;
  step: string;
  questions: Record<string, { answerHash?: string; error?: string; conflict?: string; removed?: true; reset?: true }>;
  replaced: Record<string, string>;
  problem?: string;
  link?: { href: string; text: string };
  pending?: true;
};

/** Why the server has not stored an answer. `reset`: the question shows the stored one again. */
export type Mark = 'invalid' | 'conflict' | 'removed' | 'reset';

/** Updates the page and `marked`: the questions whose answers were not stored. */
export function showResult(
  form: HTMLFormElement,
  { questions, replaced, step, pending }: SaveResult,
  changed: ReadonlySet<string>,
  marked: Map<string, Mark>,
): void {
  for (const [id, { answerHash, error, conflict, removed, reset }] of Object.entries(questions)) {
    const question = findQuestion(form, id);
    if (!question) continue;
    const input = form.elements.namedItem(`s.${id}`);
    if (input instanceof HTMLInputElement && answerHash !== undefined) input.value = answerHash;
    // While somebody continues to type, an error would be about what they typed before.
    if (!changed.has(id) || removed) showError(form, id, error);
    showConflict(question, conflict);
    if (removed) marked.set(id, 'removed');
    else if (conflict !== undefined) marked.set(id, 'conflict');
    else if (error !== undefined) marked.set(id, reset ? 'reset' : 'invalid');
    else marked.delete(id);
  }
  for (const [id, html] of Object.entries(replaced)) {
    if (changed.has(id)) continue;
    replaceQuestion(form, id, html);
    if (questions[id]?.error === undefined) marked.delete(id);
  }
  form.querySelector('[data-problem]')?.remove();
  form.querySelector('[data-pending]')?.toggleAttribute('hidden', !pending);
  form.querySelector('[data-edited]')?.toggleAttribute('hidden', pending === true);
  const text = document.querySelector('.progress-text .muted');
  if (text) text.textContent = step;
}

function showConflict(question: HTMLElement, html: string | undefined): void {
  question.querySelector('[data-conflict]')?.remove();
  if (html !== undefined) question.querySelector('input[name^="s."]')?.insertAdjacentHTML('beforebegin', html);
}

function replaceQuestion(form: HTMLFormElement, id: string, html: string): void {
  const question = findQuestion(form, id);
  if (!question) return;
  const hadFocus = question.contains(document.activeElement);
  question.outerHTML = html;
  const control = 'input:not([type="hidden"]), select, textarea, button';
  if (hadFocus) findQuestion(form, id)?.querySelector<HTMLElement>(control)?.focus();
}
