/**
 * The state of the controls of a question: of a stored answer, or of a posted form. It becomes the input of an answer; its
 * hash shows whether the answer has changed since the page was rendered. Pure.
 *
 * The names of controls begin with a letter and a dot, then the id of the question: `q.` value, `o.` text of the other
 * choice, `y.`, `m.`, `d.` the parts of a date, `s.` the answer hash, `k.` the hash of a conflicting answer.
 */

import type { Answer, AnswerInput } from '#core/responses/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import { isIds } from '#core/structure/types/content.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { type FieldState, findOtherChoice, type PageQuestion } from './control.ts';
import { FIELDS } from './fields.ts';

/** Converts a stored answer to the state of its controls. */
export function toFieldState(question: PageQuestion, answer: Answer | undefined): FieldState {
  if (!answer || answer.type !== question.type) return { values: [], other: '' };
  const { value, otherText = '' } = answer;
  const texts = FIELDS[question.type].toTexts?.(question, answer);
  if (texts) return { values: texts, other: '' };
  if (typeof value === 'string' || typeof value === 'number') return { values: [String(value)], other: '' };
  return { values: isIds(value) ? value : [], other: otherText };
}

/** Finds posted choices that are no longer offered; none for a question without choices. */
export const findRemovedChoices = ({ choices }: PageQuestion, { values }: FieldState): string[] =>
  choices === undefined ? [] : values.filter((value) => !choices.some(({ id }) => id === value));

/** Parses the posted controls. */
export function parsePostedState(question: PageQuestion, fields: URLSearchParams): FieldState {
  const { id, type } = question;
  const texts = (letter: string): string[] => fields.getAll(`${letter}.${id}`);
  const text = (letter: string): string => texts(letter)[0] ?? '';
  const parsed = FIELDS[type].parse?.(question, text) ?? texts('q').filter((value) => value.trim() !== '');
  return { values: parsed, other: text('o') };
}

/** Converts the state of the controls to the input of an answer. */
export function toAnswerInput(question: PageQuestion, { values, other }: FieldState): AnswerInput {
  const value = values.length === 0 ? null : FIELDS[question.type].toValue(values, question);
  const input = { questionId: question.id, questionType: question.type, value };
  const otherId = findOtherChoice(question)?.id;
  return otherId !== undefined && values.includes(otherId) && other.trim() !== ''
    ? { ...input, otherText: other }
    : input;
}

/** Hashes an answer to a short text that is equal only for equal answers; the order matters only in a ranking. */
export function hashAnswer(question: PageQuestion, state: FieldState): string {
  const { otherText = '', value } = toAnswerInput(question, state);
  const isOrdered = !Array.isArray(value) || getTraits(question.type).isOrdered;
  const text = JSON.stringify([isOrdered ? value : value.toSorted(), otherText]);
  return sha256(text, 'base64url').slice(0, 8);
}
