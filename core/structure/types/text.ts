/** SHORT_TEXT and LONG_TEXT: a text, stored exactly as sent. */

import { refuse } from '#core/problems/answer-faults.ts';
import { countCharacters } from '#core/schema/schema.ts';
import type { AnswerContent, SentValue } from './content.ts';
import type { QuestionType } from './traits.ts';
import type { CheckedValue, QuestionTypeRules } from './type.ts';

/** The longest texts in Unicode characters. */
export const MAX_SHORT_TEXT = 500;
export const MAX_LONG_TEXT = 10_000;

/** Checks a text of at most `max` Unicode characters. */
export function checkText({ type }: { type: QuestionType }, value: SentValue, max: number): CheckedValue {
  if (typeof value !== 'string') return refuse('/value', 'not_text');
  if (!value.isWellFormed()) return refuse('/value', 'not_unicode');
  if (value.includes('\0')) return refuse('/value', 'has_null');
  if (countCharacters(value) > max) return refuse('/value', 'too_long', max);
  return { kind: 'answer', content: { type, value } };
}

/** Displays a text or a number as its value. */
export const valueText = ({ value }: AnswerContent): string => String(value);

export const shortText: QuestionTypeRules = {
  check: (question, value) => checkText(question, value, MAX_SHORT_TEXT),
  display: valueText,
  maxCharacters: MAX_SHORT_TEXT,
};

export const longText: QuestionTypeRules = {
  check: (question, value) => checkText(question, value, MAX_LONG_TEXT),
  display: valueText,
  maxCharacters: MAX_LONG_TEXT,
};
