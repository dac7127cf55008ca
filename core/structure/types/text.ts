/** SHORT_TEXT and LONG_TEXT: a text, stored exactly as sent. */

import { refuse } from '#core/problems/answer-faults.ts';
import { countCharacters } from '#core/schema/schema.ts';
import type { AnswerContent, SentValue } from './content.ts';
import {
  asksForNumber,
  judgeText,
  MAX_LONG_TEXT,
  MAX_SHORT_TEXT,
  parseNumber,
  type TextRules,
  toNumber,
} from './formats.ts';
import type { QuestionType } from './traits.ts';
import type { CheckedValue, QuestionTypeRules } from './type.ts';

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

type Rules = QuestionTypeRules<{ text?: TextRules | undefined }>;

export const shortText: Rules = {
  check: (question, value) => checkText(question, value, MAX_SHORT_TEXT),
  judge: ({ text }, { value }) => judgeText(text, String(value)),
  display: valueText,
  // Numbers are compared whatever way they were typed.
  subjects: ({ value }, question) => [
    (asksForNumber(question) && parseNumber(String(value))?.canonical) || String(value),
  ],
  maxCharacters: MAX_SHORT_TEXT,
  column: (question) => (asksForNumber(question) ? 'number' : 'text'),
  cell: (_answer, displayValue, question) =>
    (asksForNumber(question) ? toNumber(displayValue) : undefined) ?? displayValue,
};

export const longText: Rules = {
  check: (question, value) => checkText(question, value, MAX_LONG_TEXT),
  judge: ({ text }, { value }) => judgeText(text, String(value)),
  display: valueText,
  maxCharacters: MAX_LONG_TEXT,
  column: () => 'longText',
};
