/**
 * What the controls of a question contain: of a stored answer, or as a form was posted. It becomes the input of an
 * answer; its stamp tells whether the answer has changed since the page was made. Pure.
 *
 * The names of controls begin with a letter and a dot, then the id of the question: `q.` value, `o.` text of the other
 * choice, `y.`, `m.`, `d.` the parts of a date, `s.` the stamp, `k.` the stamp of a conflicting answer.
 */
import { lacksOtherText } from '#core/responses/answers.ts';
import type { Answer, AnswerInput } from '#core/responses/model.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Choice, DateOptions, QuestionDocument } from '#core/structure/question-model.ts';
import { completeWebAddress } from './web-address.ts';

/** A question as its page shows it: with the choices that this respondent may select. */
export type ShownQuestion = QuestionDocument;

/** The texts in the controls of a question; of a date, its parts in the order of `dateParts`. */
export type FieldState = { values: readonly string[]; other: string };

const DATE_PARTS = ['y', 'm', 'd'] as const;
export type DatePart = (typeof DATE_PARTS)[number];

/** Whether a date is one native control. */
export const isFullDate = ({ hasYear, hasMonth, hasDay }: DateOptions): boolean => hasYear && hasMonth && hasDay;

/** The parts that a date question asks for. */
export const dateParts = ({ hasYear, hasMonth, hasDay }: DateOptions): DatePart[] =>
  DATE_PARTS.filter((part) => ({ y: hasYear, m: hasMonth, d: hasDay })[part]);

/** The controls for a stored answer. */
export function storedState(question: ShownQuestion, answer: Answer | undefined): FieldState {
  if (!answer || answer.type !== question.type) return { values: [], other: '' };
  const { value, otherText = '' } = answer;
  if (question.date) {
    const text = answer.display ?? '';
    return { values: isFullDate(question.date) ? [text] : text.split('-').map(withoutZeros), other: '' };
  }
  if (typeof value === 'string' || typeof value === 'number') return { values: [String(value)], other: '' };
  const ids = Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  return { values: ids, other: otherText };
}

/** The choices among posted values that are not offered any more; none for a question without choices. */
export const removedChoices = ({ choices }: ShownQuestion, { values }: FieldState): string[] =>
  choices === undefined ? [] : values.filter((value) => !choices.some(({ id }) => id === value));

/** The controls as they were posted. Browsers send line breaks as CR LF. */
export function postedState({ id, date }: ShownQuestion, fields: URLSearchParams): FieldState {
  const text = (name: string): string => (fields.get(`${name}.${id}`) ?? '').replaceAll('\r\n', '\n');
  if (date && !isFullDate(date)) {
    const values = dateParts(date).map((part) => withoutZeros(text(part).trim()));
    return { values: values.every((each) => each === '') ? [] : values, other: '' };
  }
  const values = fields.getAll(`q.${id}`).map((each) => each.replaceAll('\r\n', '\n'));
  return { values: values.filter((each) => each.trim() !== ''), other: text('o') };
}

const withoutZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** The input that the controls make. */
export function inputOf(question: ShownQuestion, { values, other }: FieldState): AnswerInput {
  const input = { questionId: question.id, questionType: question.type, value: answerValue(question, values) };
  const otherId = otherChoice(question)?.id;
  return otherId !== undefined && values.includes(otherId) && other.trim() !== ''
    ? { ...input, otherText: other }
    : input;
}

function answerValue({ type, date }: ShownQuestion, values: readonly string[]): AnswerInput['value'] {
  const [first] = values;
  if (first === undefined) return null;
  if (date) return isFullDate(date) ? first : values.map((each, index) => padded(each, date, index)).join('-');
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

const padded = (text: string, date: DateOptions, index: number): string =>
  text.padStart(dateParts(date)[index] === 'y' ? 4 : 2, '0');

/** The choice of a question whose text the respondent enters. */
export const otherChoice = ({ choices = [] }: ShownQuestion): Choice | undefined =>
  choices.find(({ isOther }) => isOther === true);

/** Whether the other choice is selected without the text that it needs because it has no name. */
export const isOtherBlank = (question: ShownQuestion, { values, other }: FieldState): boolean =>
  lacksOtherText(question, { value: [...values], otherText: other });

/** A short text that is equal exactly for equal answers; the order counts only in a ranking. */
export function stampOf(question: ShownQuestion, state: FieldState): string {
  const { otherText = '', value } = inputOf(question, state);
  const isOrdered = !Array.isArray(value) || question.type === 'RANKING';
  const text = JSON.stringify([isOrdered ? value : value.toSorted(), otherText]);
  return sha256(text, 'base64url').slice(0, 8);
}
