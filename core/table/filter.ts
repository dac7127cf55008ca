/** Decides which responses match a filter, and by which values a question can be filtered. Pure. */
import type { Answer } from '#core/responses/model.ts';
import { displayValue } from '#core/structure/answer-content.ts';
import { choiceName } from '#core/structure/question-model.ts';
import { choicesOf, type Structure } from '#core/structure/structure.ts';
import type { FilterInput } from './model.ts';

type Lookup = (questionId: string) => Answer | undefined;
type Value = { matchValue: string; displayValue: string };

/** The values by which a filter matches an answer: its choice ids, number, date, text, file names or username. */
export function matchValues(answer: Answer): Value[] {
  const { value } = answer;
  if (!Array.isArray(value)) return [{ matchValue: plainValue(answer), displayValue: displayValue(answer) }];
  return value.map((each, index) => {
    if (typeof each !== 'string') return { matchValue: each.originalFilename, displayValue: each.originalFilename };
    return { matchValue: each, displayValue: answer.names ? choiceName({ name: answer.names[index] ?? '' }) : each };
  });
}

/** A date and a connected account are matched by their display value, everything else by its value. */
function plainValue(answer: Answer): string {
  if (typeof answer.value === 'number') return String(answer.value);
  return typeof answer.value === 'string' && answer.type !== 'DATE' ? answer.value : displayValue(answer);
}

/** Whether the answers of a response match every entry of a filter, each by at least one of its options. */
export const matchesFilter = (filters: FilterInput['filters'], answerTo: Lookup): boolean =>
  filters.every(({ questionId, answers }) => {
    if (answers.length === 0) return true;
    const answer = answerTo(questionId);
    if (!answer) return false;
    const values = new Set(matchValues(answer).map((value) => value.matchValue));
    return answers.some(({ option }) => values.has(option));
  });

/** The current names of the choices that a question can offer, by their id. */
export const choiceNames = (structure: Structure, questionId: string): ReadonlyMap<string, string> =>
  new Map(choicesOf(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));

/**
 * The values of an answer for a list of distinct answers. A choice has its current name, which all respondents share,
 * and never the other text of one of them. `names`: of the choices that the question can offer.
 */
export const distinctValues = (answer: Answer, names: ReadonlyMap<string, string>): Value[] =>
  matchValues(answer).map(({ matchValue, displayValue: shown }) => {
    const removed = shown === answer.otherText ? choiceName({ name: '' }) : shown;
    return { matchValue, displayValue: names.get(matchValue) ?? removed };
  });
