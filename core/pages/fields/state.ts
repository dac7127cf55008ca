/**
 * The state of the controls of a question: of a stored answer, or of a posted form. It becomes the input of an answer; its
 * hash shows whether the answer has changed since the page was rendered. Pure.
 *
 * The names of controls begin with a letter and a dot, then the id of the question: `q.` value, `o.` text of the other
 * choice, `y.`, `m.`, `d.` the parts of a date, `s.` the answer hash, `k.` the hash of a conflicting answer.
 */
import { lacksOtherText } from '#core/responses/answers.ts';
import type { Answer, AnswerInput } from '#core/responses/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import type { DateOptions } from '#core/structure/types/date.ts';
import { completeWebAddress } from './web-address.ts';

/** A question with the choices that this respondent may select. */
export type PageQuestion = Question;

/** The texts in the controls of a question; of a date, its parts in the order of `listDateParts`. */
export type FieldState = { values: readonly string[]; other: string };

const DATE_PARTS = ['y', 'm', 'd'] as const;
export type DatePart = (typeof DATE_PARTS)[number];

/** Whether a date has all parts, so that it is one native control. */
export const isFullDate = ({ hasYear, hasMonth, hasDay }: DateOptions): boolean => hasYear && hasMonth && hasDay;

/** Lists the parts that a date question asks for. */
export const listDateParts = ({ hasYear, hasMonth, hasDay }: DateOptions): DatePart[] =>
  DATE_PARTS.filter((part) => ({ y: hasYear, m: hasMonth, d: hasDay })[part]);

/** Converts a stored answer to the state of its controls. */
export function toFieldState(question: PageQuestion, answer: Answer | undefined): FieldState {
  if (!answer || answer.type !== question.type) return { values: [], other: '' };
  const { value, otherText = '' } = answer;
  if (question.date) {
    const text = answer.display ?? '';
    return { values: isFullDate(question.date) ? [text] : text.split('-').map(stripLeadingZeros), other: '' };
  }
  if (typeof value === 'string' || typeof value === 'number') return { values: [String(value)], other: '' };
  const ids = Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  return { values: ids, other: otherText };
}

/** Finds posted choices that are no longer offered; none for a question without choices. */
export const findRemovedChoices = ({ choices }: PageQuestion, { values }: FieldState): string[] =>
  choices === undefined ? [] : values.filter((value) => !choices.some(({ id }) => id === value));

/** Parses the posted controls. Browsers send line breaks as CR LF. */
export function parsePostedState({ id, date }: PageQuestion, fields: URLSearchParams): FieldState {
  const text = (name: string): string => (fields.get(`${name}.${id}`) ?? '').replaceAll('\r\n', '\n');
  if (date && !isFullDate(date)) {
    const values = listDateParts(date).map((part) => stripLeadingZeros(text(part).trim()));
    return { values: values.every((part) => part === '') ? [] : values, other: '' };
  }
  const values = fields.getAll(`q.${id}`).map((value) => value.replaceAll('\r\n', '\n'));
  return { values: values.filter((value) => value.trim() !== ''), other: text('o') };
}

const stripLeadingZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** Converts the state of the controls to the input of an answer. */
export function toAnswerInput(question: PageQuestion, { values, other }: FieldState): AnswerInput {
  const input = { questionId: question.id, questionType: question.type, value: toAnswerValue(question, values) };
  const otherId = findOtherChoice(question)?.id;
  return otherId !== undefined && values.includes(otherId) && other.trim() !== ''
    ? { ...input, otherText: other }
    : input;
}

function toAnswerValue({ type, date }: PageQuestion, values: readonly string[]): AnswerInput['value'] {
  const [first] = values;
  if (first === undefined) return null;
  if (date) return isFullDate(date) ? first : values.map((part, index) => padPart(part, date, index)).join('-');
  switch (type) {
    case 'LINEAR_SCALE':
    case 'RATING':
      return Number(first);
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
      return first;
    case 'HYPERLINK':
      return completeWebAddress(first);
    default:
      return [...values];
  }
}

const padPart = (text: string, date: DateOptions, index: number): string =>
  text.padStart(listDateParts(date)[index] === 'y' ? 4 : 2, '0');

/** Finds the choice of a question whose text the respondent enters. */
export const findOtherChoice = ({ choices = [] }: PageQuestion): Choice | undefined =>
  choices.find(({ isOther }) => isOther === true);

/** Whether the other choice is selected without the text that it needs because it has no name. */
export const isOtherBlank = (question: PageQuestion, { values, other }: FieldState): boolean =>
  lacksOtherText(question, { value: [...values], otherText: other });

/** Hashes an answer to a short text that is equal only for equal answers; the order matters only in a ranking. */
export function hashAnswer(question: PageQuestion, state: FieldState): string {
  const { otherText = '', value } = toAnswerInput(question, state);
  const isOrdered = !Array.isArray(value) || question.type === 'RANKING';
  const text = JSON.stringify([isOrdered ? value : value.toSorted(), otherText]);
  return sha256(text, 'base64url').slice(0, 8);
}
