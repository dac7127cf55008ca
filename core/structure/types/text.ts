/** SHORT_TEXT and LONG_TEXT: a text, stored exactly as sent. */
import { countCharacters } from '#core/schema/schema.ts';
import type { AnswerContent } from './content.ts';
import { refuse } from './faults.ts';
import type { QuestionTypeRules, ValueCheck } from './type.ts';

/** The longest texts in Unicode characters. */
export const MAX_SHORT_TEXT = 500;
export const MAX_LONG_TEXT = 10_000;

/** Builds the check of a text of at most `max` Unicode characters. */
export const checkText =
  (max: number): ValueCheck =>
  ({ type }, value) => {
    if (typeof value !== 'string') return refuse('/value', 'not_text');
    if (!value.isWellFormed()) return refuse('/value', 'not_unicode');
    if (value.includes('\0')) return refuse('/value', 'has_null');
    if (countCharacters(value) > max) return refuse('/value', 'too_long', max);
    return { kind: 'answer', content: { type, value } };
  };

const valueText = ({ value }: AnswerContent): string => String(value);

/** What texts and numbers have in common: an answer is displayed and compared as its value. */
export const asValue = { display: valueText, subjects: (answer: AnswerContent): string[] => [valueText(answer)] };

export const shortText: QuestionTypeRules = { ...asValue, check: checkText(MAX_SHORT_TEXT) };
export const longText: QuestionTypeRules = { ...asValue, check: checkText(MAX_LONG_TEXT), isDistinct: true };
