/** Decides which responses match a filter, and by which values a question can be filtered. Pure. */
import type { Answer } from '#core/responses/model.ts';
import { choiceName } from '#core/structure/question-model.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { displayValue } from '#core/structure/types/content.ts';
import type { FilterInput } from './model.ts';

type AnswerLookup = (questionId: string) => Answer | undefined;
type FilterValue = { matchValue: string; displayValue: string };

/** Lists the values by which a filter matches an answer: its choice ids, number, date, text, file names or username. */
export function listMatchValues(answer: Answer): FilterValue[] {
  const { value } = answer;
  if (!Array.isArray(value)) return [{ matchValue: plainValue(answer), displayValue: displayValue(answer) }];
  return value.map((entry, index) => {
    if (typeof entry !== 'string') return { matchValue: entry.originalFilename, displayValue: entry.originalFilename };
    return { matchValue: entry, displayValue: answer.names ? choiceName({ name: answer.names[index] ?? '' }) : entry };
  });
}

/** A date and a connected account are matched by their display value, everything else by its value. */
function plainValue(answer: Answer): string {
  if (typeof answer.value === 'number') return String(answer.value);
  return typeof answer.value === 'string' && answer.type !== 'DATE' ? answer.value : displayValue(answer);
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
