/** What answers to each question type mean, and what the rest of the service asks about an answer. */
import type { AnswerFault } from '#core/problems/answer-faults.ts';
import type { Language } from '#core/schema/format.ts';
import type { Question, QuestionType } from '../question-model.ts';
import { choices } from './choices.ts';
import type { AnswerContent } from './content.ts';
import { date } from './date.ts';
import { hyperlink } from './hyperlink.ts';
import { oauthConnect } from './oauth-connect.ts';
import { scale } from './scale.ts';
import { longText, shortText } from './text.ts';
import { isChoiceType, type MemberName, type OptionName } from './traits.ts';
import type { CellValue, DisplayedAnswer, OfferedChoice, QuestionTypeRules } from './type.ts';
import { uploadFile } from './upload-file.ts';

/** The options and members of a question of any type. */
export type Options = { [Name in OptionName | MemberName]?: Question[Name] | undefined };

export const TYPES: Readonly<Record<QuestionType, QuestionTypeRules<Options>>> = {
  SHORT_TEXT: shortText,
  LONG_TEXT: longText,
  SINGLE_CHOICE: choices,
  MULTIPLE_CHOICE: choices,
  DROPDOWN: choices,
  DETAILED_MULTIPLE_CHOICE: choices,
  DATE: date,
  UPLOAD_FILE: uploadFile,
  LINEAR_SCALE: scale,
  RATING: scale,
  RANKING: choices,
  OAUTH_CONNECT: oauthConnect,
  HYPERLINK: hyperlink,
};

/**
 * The display value of an answer, never an empty line: joined names, the requested parts of a date, file names with sizes.
 */
export const displayValue = (answer: AnswerContent): string => answer.display ?? TYPES[answer.type].display(answer);

/**
 * Formats an answer as text, in the same way for pages and mails: a date as "1 May 2026" or "May 2026", a point on a
 * scale as "3 of 5", anything else as its display value.
 */
export const readableAnswer = (
  reader: { language: Language },
  { type, value, displayValue: display, ...options }: DisplayedAnswer & Options,
): string => TYPES[type].format?.(reader, { type, value, displayValue: display }, options) ?? display;

/**
 * Lists the texts of an answer that a pattern or a filter is matched against, one at a time: the id of each selected
 * choice, the text, a number as digits, a date as displayed, the name of each file, the username of a connected account.
 * Empty for an empty answer. `question`: the one that is answered; a number is canonical if it asks for one.
 */
export const answerSubjects = (answer: AnswerContent, question: Options | undefined): string[] =>
  answer.value === ''
    ? []
    : (TYPES[answer.type].subjects?.(answer, question ?? {}) ?? [TYPES[answer.type].display(answer)]);

/** The most characters of the texts of an answer to a type of question. `choices`: how many it offers, if it has some. */
export const largestSubject = (type: QuestionType, choices: number): number =>
  TYPES[type].maxCharacters * (isChoiceType(type) ? choices : 1);

/** Finds why an answer to a question may not be submitted, although a draft may have it. */
export const judgeAnswer = (
  question: Question,
  answer: AnswerContent,
  offered: readonly OfferedChoice[],
): AnswerFault[] => TYPES[question.type].judge?.(question, answer, offered) ?? [];

/**
 * Converts an answer to the cell of a spreadsheet: a number or a whole date as itself, anything else as displayed. `question`:
 * the one that is answered; undefined for a removed one.
 */
export function answerCell(answer: AnswerContent, question: Options | undefined): CellValue {
  const display = displayValue(answer);
  return TYPES[answer.type].cell?.(answer, display, question) ?? display;
}
