/** The order of responses by their answers to a question: choices in the order of the question, numbers and dates. Pure. */
import type { Answer } from '#core/responses/model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { asksForNumber, toNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';

/** The position of a response: by its answer, null without one, and by its submission. */
export type SortPosition = { value: number | string | null; position: string };

/** Returns the function from an answer to its value in the order. Removed choices follow those of the question; a text that is no number, of a question that asks for one, is as none. */
export function sortValue(
  structure: Structure,
  questionId: string,
): (answer: Answer | undefined) => SortPosition['value'] {
  const question = findQuestion(structure, questionId)?.question;
  const order = new Map(listChoices(structure, questionId).map(({ id }, index) => [id, index]));
  return (answer) => {
    if (!answer) return null;
    const value = Array.isArray(answer.value) ? answer.value[0] : answer.value;
    if (getTraits(answer.type).selectsOne) return order.get(String(value)) ?? order.size;
    if (typeof value === 'number') return value;
    if (asksForNumber(question)) return toNumber(String(value ?? '')) ?? null;
    return String(value ?? '');
  };
}

/** Compares two positions: without an answer last, equal answers newest first. */
export const compareSorted =
  (descending: boolean) =>
  (a: SortPosition, b: SortPosition): number => {
    if (a.value === b.value) return a.position === b.position ? 0 : a.position > b.position ? -1 : 1;
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return (a.value < b.value ? -1 : 1) * (descending ? -1 : 1);
  };

/** Writes a position as the text of a cursor. */
export const sortPosition = ({ value, position }: SortPosition): string => JSON.stringify([value, position]);

/** Reads the text of a cursor; a text that is no position is the beginning. */
export function parseSortPosition(text: string): SortPosition {
  const parsed = parseJson(text);
  const [value, position] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  const isValue = typeof value === 'string' || typeof value === 'number' || value === null;
  return isValue && typeof position === 'string' ? { value, position } : { value: '', position: '' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
