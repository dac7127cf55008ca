/** The answers that an invitation gives to hidden questions, which its guest does not choose. Pure. */
import { questionsByName } from '#core/structure/names.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { getTraits } from '#core/structure/types/traits.ts';
import { newResponse, saveValidAnswers } from './edits.ts';
import type { AnswerInput } from './model.ts';

/**
 * Lists the answers to hidden questions in the fields of an invitation, such as `q.source`, which name them by their name or id: those
 * that are valid. `time`: of the start.
 */
export function listInvitedAnswers(
  structure: Structure,
  prefill: Readonly<Record<string, string>>,
  time: string,
): AnswerInput[] {
  const named = questionsByName(structure);
  const inputs = Object.entries(prefill).flatMap(([field, value]): AnswerInput[] => {
    const name = field.slice('q.'.length);
    const question = named.get(name.toLowerCase()) ?? findQuestion(structure, name)?.question;
    if (!field.startsWith('q.') || !question?.hidden || value.trim() === '') return [];
    const { id: questionId, type: questionType } = question;
    if (getTraits(questionType).isNumber) return [{ questionId, questionType, value: Number(value) }];
    if (!getTraits(questionType).selectsOne) return [{ questionId, questionType, value }];
    const choices = listChoices(structure, questionId);
    const choice = choices.find(({ id }) => id === value) ?? choices.find((each) => each.name === value);
    return choice ? [{ questionId, questionType, value: [choice.id] }] : [];
  });
  // A question can be named twice, by its name and its id: the first one stands.
  const invited = inputs.filter(
    (input, index) => inputs.findIndex((each) => each.questionId === input.questionId) === index,
  );
  if (invited.length === 0) return [];
  const { formId } = structure;
  const response = newResponse(formId, formId, formId, time);
  const { faultsByQuestion } = saveValidAnswers({ response, structure }, invited, time, { isStart: true });
  return invited.filter(({ questionId }) => !faultsByQuestion.has(questionId));
}

/** Adds the answers of an invitation to those of a request, in place of the answers to the same questions. */
export function withInvited(answers: readonly AnswerInput[], invited: readonly AnswerInput[]): readonly AnswerInput[] {
  const decided = new Set(invited.map(({ questionId }) => questionId));
  return invited.length === 0 ? answers : [...invited, ...answers.filter(({ questionId }) => !decided.has(questionId))];
}

/** Puts the answers of an invitation to hidden questions in place of those of a request. `time`: of the start. */
export const decideHidden = (
  structure: Structure,
  prefill: Readonly<Record<string, string>>,
  answers: readonly AnswerInput[],
  time: string,
): readonly AnswerInput[] => withInvited(answers, listInvitedAnswers(structure, prefill, time));
