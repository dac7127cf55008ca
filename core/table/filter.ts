/** Decides which responses match a filter, and by which values a question can be filtered. Pure. */
import type { Answer } from '#core/responses/model.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { asksForNumber, toNumber } from '#core/structure/types/formats.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { answerSubjects, displayValue } from '#core/structure/types/types.ts';
import type { FilterEntry, FilterInput } from './model.ts';

type AnswerLookup = (questionId: string) => Answer | undefined;
type FilterValue = { matchValue: string; displayValue: string };

/**
 * Lists the values by which a filter matches an answer: its choice ids, number, date, text, file names or username. `question`:
 * the one that is answered; undefined for a removed one.
 */
export function listMatchValues(answer: Answer, question: Question | undefined): FilterValue[] {
  const { names, value } = answer;
  return answerSubjects(answer, question).map((matchValue, index) => {
    if (names) return { matchValue, displayValue: choiceName({ name: names[index] ?? '' }) };
    return { matchValue, displayValue: Array.isArray(value) ? matchValue : displayValue(answer) };
  });
}

/** Decides which questions a response fails at, or whether at none. */
export type Filter = {
  matches(answerTo: AnswerLookup): boolean;
  listFailing(answerTo: AnswerLookup): string[];
};

/** Whether an entry of a filter has conditions: one without any matches all responses. */
export const hasConditions = (entry: FilterEntry): boolean => hasOptions(entry) || hasTests(entry);

/** Whether an entry of a filter has options and no other condition. */
export const hasOptionsOnly = (entry: FilterEntry): boolean =>
  hasOptions(entry) && !hasTests(entry) && entry.not !== true;

const hasOptions = ({ answers = [] }: FilterEntry): boolean => answers.length > 0;
const hasTests = ({ isEmpty, contains, min, max }: FilterEntry): boolean =>
  [isEmpty, contains, min, max].some((condition) => condition !== undefined);

type AnswerTest = (answer: Answer | undefined) => boolean;

/** Lists the conditions of an entry apart from its options. */
function listTests({ isEmpty, contains, min, max }: FilterEntry, question: Question | undefined): AnswerTest[] {
  const lower = contains?.toLowerCase();
  const test = (isGiven: boolean, passes: AnswerTest): AnswerTest[] => (isGiven ? [passes] : []);
  const within = (bound: Bound | undefined, isWithin: (order: number) => boolean): AnswerTest[] =>
    bound === undefined
      ? []
      : [(answer) => answer !== undefined && isWithin(compareTo(bound, orderedValue(answer, question)))];
  return [
    ...test(isEmpty !== undefined, (answer) => hasNoValue(answer) === isEmpty),
    ...test(
      lower !== undefined,
      (answer) =>
        answer !== undefined &&
        displayValue(answer)
          .toLowerCase()
          .includes(lower ?? ''),
    ),
    ...within(min, (order) => order >= 0),
    ...within(max, (order) => order <= 0),
  ];
}

const hasNoValue = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.value === '' || (Array.isArray(answer.value) && answer.value.length === 0);

type Bound = NonNullable<FilterEntry['min']>;

/** Compares a value with a bound: negative below it, 0 at it; NaN if the two have no order. Dates are compared in the parts that both have. */
function compareTo(bound: Bound, value: number | string | undefined): number {
  if (typeof bound === 'number' || typeof value === 'number') {
    const [number, limit] = [Number(value ?? Number.NaN), Number(bound)];
    return number - limit;
  }
  if (value === undefined) return Number.NaN;
  const length = Math.min(value.length, bound.length);
  const [part, limit] = [value.slice(0, length), bound.slice(0, length)];
  return part < limit ? -1 : Number(part > limit);
}

/** The number or the displayed date of an answer; undefined for any other. */
function orderedValue(answer: Answer, question: Question | undefined): number | string | undefined {
  if (typeof answer.value === 'number') return answer.value;
  if (answer.type === 'DATE') return displayValue(answer);
  return asksForNumber(question) ? toNumber(String(answer.value)) : undefined;
}

/** Whether a question has numbers, dates, or answers without an order, which bounds do not fit. `question`: undefined if it was removed. */
export function orderOf(type: QuestionType, question: Question | undefined): 'number' | 'date' | undefined {
  if (type === 'DATE') return 'date';
  return getTraits(type).isNumber === true || asksForNumber(question) ? 'number' : undefined;
}

/** An entry with further conditions than options, or one that is inverted; `bit`: its place among the entries. */
type TestedEntry = { bit: bigint; tests: readonly AnswerTest[]; isInverted: boolean };

/** The entries on a question: those of each option as bits, those that have options, and those with other conditions. */
type QuestionFilter = {
  questionId: string;
  question: Question | undefined;
  entriesByOption: ReadonlyMap<string, bigint>;
  withOptions: bigint;
  tested: readonly TestedEntry[];
  all: bigint;
};

/**
 * Builds a filter for a form: a response matches every entry. The values of an answer are found and looked up once for all
 * entries on its question.
 */
export function buildFilter(structure: Structure, filters: FilterInput['filters']): Filter {
  const questions = [...Map.groupBy(filters.filter(hasConditions), ({ questionId }) => questionId)].map(
    ([questionId, entries]) => buildQuestionFilter(questionId, findQuestion(structure, questionId)?.question, entries),
  );
  return {
    matches: (answerTo) => questions.every((question) => isMatching(question, answerTo)),
    listFailing: (answerTo) =>
      questions.filter((question) => !isMatching(question, answerTo)).map(({ questionId }) => questionId),
  };
}

function buildQuestionFilter(
  questionId: string,
  question: Question | undefined,
  entries: readonly FilterEntry[],
): QuestionFilter {
  const entriesByOption = new Map<string, bigint>();
  let withOptions = 0n;
  const tested: TestedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const bit = 1n << BigInt(index);
    if (hasOptions(entry)) withOptions |= bit;
    for (const { option } of entry.answers ?? [])
      entriesByOption.set(option, (entriesByOption.get(option) ?? 0n) | bit);
    const tests = listTests(entry, question);
    const isInverted = entry.not === true;
    if (tests.length > 0 || isInverted) tested.push({ bit, tests, isInverted });
  }
  return { questionId, question, entriesByOption, withOptions, tested, all: (1n << BigInt(entries.length)) - 1n };
}

function isMatching(filter: QuestionFilter, answerTo: AnswerLookup): boolean {
  const { questionId, question, entriesByOption, withOptions, tested, all } = filter;
  const answer = answerTo(questionId);
  const found = (answer ? answerSubjects(answer, question) : []).reduce(
    (bits, value) => bits | (entriesByOption.get(value) ?? 0n),
    all & ~withOptions,
  );
  const matching = tested.reduce((bits, { bit, tests, isInverted }) => {
    const passes = (bits & bit) !== 0n && tests.every((test) => test(answer));
    return passes === isInverted ? bits & ~bit : bits | bit;
  }, found);
  return matching === all;
}

/** Returns the current names of the choices that a question can offer, by their id. */
export const choiceNames = (structure: Structure, questionId: string): ReadonlyMap<string, string> =>
  new Map(listChoices(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));

/**
 * Lists the values of an answer for a list of distinct answers. A choice has its current name, which all respondents share,
 * and never the other text of one of them. `names`: of the choices that the question can offer.
 */
export const distinctValues = (
  answer: Answer,
  question: Question | undefined,
  names: ReadonlyMap<string, string>,
): FilterValue[] =>
  listMatchValues(answer, question).map(({ matchValue, displayValue: name }) => {
    const removed = name === answer.otherText ? choiceName({ name: '' }) : name;
    return { matchValue, displayValue: names.get(matchValue) ?? removed };
  });
