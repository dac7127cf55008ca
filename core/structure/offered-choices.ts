/**
 * The choices that a question offers to one respondent, and whether the respondent can answer it at all. `walk`, submit,
 * previews and pages all decide with `canBeAnswered`. Pure.
 */
import { type AnswerContent, isIds } from './answer-content.ts';
import { type Choice, isChoiceType, type Question } from './question-model.ts';
import { findQuestion, type Structure } from './structure.ts';

/** The answer to a question, or undefined while there is none. */
export type AnswerLookup = (questionId: string) => AnswerContent | undefined;

/**
 * Lists the choices that a question offers to a respondent. A question with a source offers the choices that the respondent
 * selected there, in the order of the source and only if the source still offers them; none before the source is
 * answered, and none in a cycle of sources. The other choice of a source has the respondent's text as its name and is
 * an ordinary choice here. `answerTo` looks up the respondent's answers to questions on the path.
 */
export function offeredChoices(structure: Structure, answerTo: AnswerLookup, questionId: string): Choice[] {
  return offeredUnlessVisited(structure, answerTo, questionId, new Set());
}

function offeredUnlessVisited(
  structure: Structure,
  answerTo: AnswerLookup,
  questionId: string,
  visited: Set<string>,
): Choice[] {
  const question = findQuestion(structure, questionId)?.question;
  if (!question || visited.has(questionId)) return [];
  if (question.sourceId === undefined) return question.choices ?? [];
  const answer = answerTo(question.sourceId);
  if (!answer || !isIds(answer.value)) return [];
  const selected = new Set(answer.value);
  return offeredUnlessVisited(structure, answerTo, question.sourceId, visited.add(questionId))
    .filter((choice) => selected.has(choice.id))
    .map(({ isOther, ...choice }) => ({ ...choice, name: (isOther && answer.otherText) || choice.name }));
}

/**
 * Whether a question on the path can be answered: it takes no choices, or offers at least one. It offers none if its
 * source, or a source of that, was deleted, is off the path or is not answered. Such a question is never required, and
 * a condition on it is false.
 */
export const canBeAnswered = (structure: Structure, answerTo: AnswerLookup, question: Question): boolean =>
  !isChoiceType(question.type) || offeredChoices(structure, answerTo, question.id).length > 0;
