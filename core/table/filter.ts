/** Decides which responses match a filter, and by which values a question can be filtered. Pure. */
import type { Answer } from '#core/responses/model.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { answerSubjects, displayValue } from '#core/structure/types/types.ts';
import type { FilterInput } from './model.ts';

type AnswerLookup = (questionId: string) => Answer | undefined;
type FilterValue = { matchValue: string; displayValue: string };

/** Lists the values by which a filter matches an answer: its choice ids, number, date, text, file names or username. */
export function listMatchValues(answer: Answer): FilterValue[] {
  const { names, value } = answer;
  return answerSubjects(answer).map((matchValue, index) => {
    if (names) return { matchValue, displayValue: choiceName({ name: names[index] ?? '' }) };
    return { matchValue, displayValue: Array.isArray(value) ? matchValue : displayValue(answer) };
  });
}

/** Whether the answers of a response match every entry of a filter, each by at least one of its options. */
export const matchesFilter = (filters: FilterInput['filters'], answerTo: AnswerLookup): boolean =>
  filters.every(({ questionId, answers }) => {
    if (answers.length === 0) return true;
    const answer = answerTo(questionId);
    if (!answer) return false;
    const values = new Set(listMatchValues(answer).map((value) => value.matchValue));
    return answers.some(({ option }) => values.has(option));
  });

/** Returns the current names of the choices that a question can offer, by their id. */
export const choiceNames = (structure: Structure, questionId: string): ReadonlyMap<string, string> =>
  new Map(listChoices(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));

/**
 * Lists the values of an answer for a list of distinct answers. A choice has its current name, which all respondents share,
 * and never the other text of one of them. `names`: of the choices that the question can offer.
 */
export const distinctValues = (answer: Answer, names: ReadonlyMap<string, string>): FilterValue[] =>
  listMatchValues(answer).map(({ matchValue, displayValue: name }) => {
    const removed = name === answer.otherText ? choiceName({ name: '' }) : name;
    return { matchValue, displayValue: names.get(matchValue) ?? removed };
  });
