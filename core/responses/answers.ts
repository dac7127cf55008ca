/**
 * Validates one answer and returns what is stored of it. Pure; callers pass the choices offered to the respondent. The
 * types check their values; here is what is common to all of them. `edits.ts` applies the result to a response.
 */

import { isDeepStrictEqual } from 'node:util';
import { countCharacters } from '#core/schema/schema.ts';
import { isLine, isVisible } from '#core/schema/text.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { type AnswerContent, isIds, type SentValue } from '#core/structure/types/content.ts';
import { type AnswerFault, fault, refuse } from '#core/structure/types/faults.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import type { CheckedValue } from '#core/structure/types/type.ts';
import { TYPES } from '#core/structure/types/types.ts';
import { type AnswerInput, MAX_OTHER_TEXT } from './model.ts';

/** The result of a check: content to store, clear the answer, no change, or faults. */
export type CheckedAnswer = CheckedValue | { kind: 'clear' } | { kind: 'unchanged' };

/**
 * Whether a value clears an answer: null, an empty list, or a text without a visible character. A text with U+0000 is
 * not empty but a fault.
 */
export function isEmptyValue(value: SentValue): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return !isVisible(value) && !value.includes('\0');
  return typeof value === 'object' && (Array.isArray(value) ? value : value.files).length === 0;
}

/**
 * Checks an answer against its question. `offered` are the choices that this respondent may select. Empty values clear
 * an answer. UPLOAD_FILE and OAUTH_CONNECT answers are only written by uploads and callbacks: an empty value is ignored
 * while there is no answer, anything else is a fault.
 */
export function checkAnswer(
  question: Question,
  input: AnswerInput,
  { offered, isAnswered }: { offered: readonly Choice[]; isAnswered: boolean },
): CheckedAnswer {
  if (input.questionType !== question.type) {
    return refuse('/questionType', 'other_question_type', question.type);
  }
  const { value } = input;
  if (value === null || isEmptyValue(value)) {
    if (!isSetByService(question.type)) return hasText(input.otherText) ? misplacedOtherText : { kind: 'clear' };
    if (!isAnswered) return { kind: 'unchanged' };
    return refuse('/value', 'set');
  }
  return withOtherText(TYPES[question.type].check(question, value, offered), input, offered);
}

/** Whether a text for the other choice has a visible character. */
export const hasText = (text: string | null | undefined): text is string => isVisible(text ?? '');
const misplacedOtherText = refuse('/otherText', 'other_text_misplaced');

/** Replaces the name of the other choice by `otherText`; a fault if that choice is not selected or the text not valid. */
function withOtherText(checked: CheckedValue, input: AnswerInput, offered: readonly Choice[]): CheckedValue {
  const { value, otherText } = input;
  if (!hasText(otherText)) return checked;
  if (!isLine(otherText)) return refuse('/otherText', 'not_line');
  if (countCharacters(otherText) > MAX_OTHER_TEXT) return refuse('/otherText', 'too_long', MAX_OTHER_TEXT);
  const selected = isIds(value) ? value : [];
  const other = offered.find((choice) => choice.isOther && selected.includes(choice.id));
  if (!other) {
    if (checked.kind !== 'faults') return misplacedOtherText;
    return { kind: 'faults', faults: [...checked.faults, ...misplacedOtherText.faults] };
  }
  if (checked.kind !== 'answer') return checked;
  const names = (checked.content.names ?? []).map((name, index) => (selected[index] === other.id ? otherText : name));
  return { kind: 'answer', content: { ...checked.content, names, otherText } };
}

/** Lists why a stored answer is no longer valid for its question; empty when it still is. */
export function storedFaults(question: Question, answer: AnswerContent, offered: readonly Choice[]): AnswerFault[] {
  const { type, value, otherText } = answer;
  if (type !== question.type) return [fault('', 'other_answer_type', type)];
  const faults = TYPES[type].storedFaults?.(question, answer);
  if (faults || (typeof value === 'object' && !isIds(value))) return faults ?? [];
  const input = { questionId: question.id, questionType: type, value, otherText };
  const checked = checkAnswer(question, input, { offered, isAnswered: true });
  if (checked.kind === 'faults') return checked.faults;
  return lacksOtherText(question, answer) ? [fault('/otherText', 'other_text_required')] : [];
}

/** Whether an answer selects an other choice without a name and has no text for it. */
export function lacksOtherText(
  { choices = [] }: { choices?: readonly Choice[] | undefined },
  { value, otherText }: { value: AnswerContent['value']; otherText?: string | undefined },
): boolean {
  const unnamed = choices.find(({ isOther, name }) => isOther && !isVisible(name));
  return unnamed !== undefined && isIds(value) && value.includes(unnamed.id) && !hasText(otherText);
}

/**
 * Whether two answers have the same value. Names and display are ignored, so that saving the same selection after a
 * choice was renamed is not a change.
 */
export const sameContent = (a: AnswerContent, b: AnswerContent): boolean =>
  a.type === b.type && a.otherText === b.otherText && isDeepStrictEqual(a.value, b.value);

/**
 * Whether an input repeats the stored answer, whatever its question is now; an empty value repeats a missing answer.
 */
export function repeatsAnswer(input: AnswerInput, stored: AnswerContent | undefined): boolean {
  const { value, questionType } = input;
  if (!stored || isEmptyValue(value)) return !stored && isEmptyValue(value);
  const otherText = hasText(input.otherText) ? input.otherText : undefined;
  if (questionType !== stored.type || otherText !== stored.otherText) return false;
  return TYPES[stored.type].repeats?.(value, stored) ?? isDeepStrictEqual(value, stored.value);
}
