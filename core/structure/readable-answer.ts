/** Formats answers in the language of the reader, in the same way for pages and mails. */

import type { Language } from '#core/schema/format.ts';
import { formatScalePoint } from '#core/schema/format.ts';
import type { AnswerValue } from './answer-content.ts';
import { dateText } from './date-text.ts';
import type { DateOptions, QuestionType } from './question-model.ts';

type DisplayedAnswer = {
  type: QuestionType;
  value: AnswerValue;
  displayValue: string;
  /** Of the question, if it has one now. */
  scale?: { maxVal: number } | undefined;
  /** Which parts a date question asks for; a whole date without it. */
  date?: Pick<DateOptions, 'hasYear' | 'hasMonth' | 'hasDay'> | undefined;
};

/**
 * Formats an answer as text: a date as "1 May 2026" or "May 2026", a point on a scale as "3 of 5", anything else as its
 * display value.
 */
export function readableAnswer(
  reader: { language: Language },
  { type, value, displayValue, scale, date }: DisplayedAnswer,
): string {
  if (type === 'DATE') return dateText(reader, displayValue, date);
  return scale && typeof value === 'number' ? formatScalePoint(reader, value, scale.maxVal) : displayValue;
}
