/** Reads the controls of a question on the page of a section, as fields and as words, and fills them. */
import { setOrder } from './ranking.ts';

/** The answer in the controls of a question. */
export type TypedAnswer = {
  /** Names and values of the controls, with the hash of the answer on which they are based. */
  fields: [name: string, value: string][];
  /** The title of the question. */
  title: string;
  /** The answer in words. */
  text: string;
};

/** The event of the form of a section after which its changes are saved without the usual pause. */
export const SAVE_NOW = 'save-now';

/** Finds the element of the question with an id. */
export const findQuestion = (form: HTMLFormElement, id: string): HTMLElement | null =>
  form.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"]`);

/** Finds the id of the question that an element belongs to. */
export const findQuestionId = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-question]')?.dataset.question;

/**
 * Finds date controls in which a part is missing or impossible, so that their value is empty, or whose year has fewer than four
 * digits: while 2026 is typed, the year is 2, 20 and 202.
 */
export const findHalfTypedDates = (root: ParentNode): HTMLInputElement[] =>
  [...root.querySelectorAll<HTMLInputElement>('input[type="date"]')].filter(
    ({ validity, value }) => validity.badInput || (validity.rangeUnderflow && value < '1000'),
  );

/** Reads the answer in the controls of a question. */
export function readAnswer(form: HTMLFormElement, id: string): TypedAnswer {
  const question = findQuestion(form, id);
  const fields: TypedAnswer['fields'] = [];
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && name.slice(2) === id && !name.startsWith('k.')) fields.push([name, value]);
  }
  const title = question?.querySelector('.question-title')?.cloneNode(true);
  if (title instanceof Element) title.querySelector('.optional')?.remove();
  return { fields, title: title?.textContent?.trim() ?? '', text: question ? listWords(question).join(', ') : '' };
}

/** Reads the values of the controls of a question, without the hash of the answer on which they are based, as one text. */
export const readFields = (form: HTMLFormElement, id: string): string =>
  JSON.stringify(readAnswer(form, id).fields.filter(([name]) => !name.startsWith('s.')));

function listWords(question: HTMLElement): string[] {
  const ranked = [...question.querySelectorAll('.ranked .rank-name')].map((element) => element.textContent ?? '');
  const controls = [...question.querySelectorAll('input:not([type="hidden"], [type="file"]), select, textarea')];
  return [...ranked, ...controls.map(describeControl)].map((word) => word.trim()).filter((word) => word !== '');
}

function describeControl(control: Element): string {
  if (control instanceof HTMLSelectElement) return control.value && (control.selectedOptions[0]?.textContent ?? '');
  if (control instanceof HTMLTextAreaElement) return control.value;
  if (!(control instanceof HTMLInputElement)) return '';
  if (control.type !== 'radio' && control.type !== 'checkbox') return control.value;
  if (!control.checked || control.value === '') return '';
  return control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? '';
}

/** Whether a question has a control for everything in an answer: a choice may have been removed. */
export function canFill(form: HTMLFormElement, id: string, { fields }: TypedAnswer): boolean {
  const question = findQuestion(form, id);
  if (!question) return false;
  const choices = question.querySelectorAll<HTMLElement>(
    'input:is([type="radio"], [type="checkbox"]), option, [data-choice]',
  );
  if (choices.length === 0) return fields.every(([name]) => form.elements.namedItem(name) !== null);
  const values = new Set([...choices].map((choice) => choice.dataset.choice ?? choice.getAttribute('value')));
  return fields.every(([name, value]) => !name.startsWith('q.') || value === '' || values.has(value));
}

/** Fills the controls of a question. */
export function fillQuestion(form: HTMLFormElement, id: string, { fields }: TypedAnswer): void {
  const findValues = (name: string): string[] =>
    fields.filter(([fieldName]) => fieldName === name).map(([, value]) => value);
  const ranking = findQuestion(form, id)?.querySelector<HTMLElement>('[data-ranking]');
  if (ranking) setOrder(ranking, findValues(`q.${id}`));
  for (const control of form.elements) {
    const isField =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement;
    if (!isField || control.name.slice(2) !== id || (ranking && control.name.startsWith('q.'))) continue;
    const values = findValues(control.name);
    if (control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type)) {
      control.checked = values.includes(control.value);
    } else if (control.type !== 'file') control.value = values[0] ?? '';
  }
}
