/** Decides which responses match a filter, and by which values a question can be filtered. Pure. */
import type { Answer } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { answerSubjects, displayValue } from '#core/structure/types/types.ts';
import type { FilterInput } from './model.ts';

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

/** The entries on a question: those of each option as bits, and all that have options. */
type QuestionFilter = {
  questionId: string;
  question: Question | undefined;
  entriesByOption: ReadonlyMap<string, bigint>;
  all: bigint;
};

/**
 * Builds a filter for a form: a response matches every entry by at least one of its options. The values of an answer are found and looked
 * up once for all entries on its question.
 */
export function buildFilter(structure: Structure, filters: FilterInput['filters']): Filter {
  const entries = filters.filter(({ answers }) => answers.length > 0);
  const questions = [...Map.groupBy(entries, ({ questionId }) => questionId)].map(
    ([questionId, ofQuestion]): QuestionFilter => {
      const entriesByOption = new Map<string, bigint>();
      for (const [index, { answers }] of ofQuestion.entries()) {
        for (const { option } of answers) {
          entriesByOption.set(option, (entriesByOption.get(option) ?? 0n) | (1n << BigInt(index)));
        }
      }
      const question = findQuestion(structure, questionId)?.question;
      return { questionId, question, entriesByOption, all: (1n << BigInt(ofQuestion.length)) - 1n };
    },
  );
  return {
    matches: (answerTo) => questions.every((question) => isMatching(question, answerTo)),
    listFailing: (answerTo) =>
      questions.filter((question) => !isMatching(question, answerTo)).map(({ questionId }) => questionId),
  };
}

function isMatching({ questionId, question, entriesByOption, all }: QuestionFilter, answerTo: AnswerLookup): boolean {
  const answer = answerTo(questionId);
  const matching = (answer ? answerSubjects(answer, question) : []).reduce(
    (found, value) => found | (entriesByOption.get(value) ?? 0n),
    0n,
  );
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
