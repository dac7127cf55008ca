/** Finds the answers that a prefilled link gives to a new response: those that are valid and on the path. Pure. */

import { followPath } from '#core/responses/answers.ts';
import { newResponse, saveValidAnswers } from '#core/responses/edits.ts';
import { withInvited } from '#core/responses/invited-answers.ts';
import type { AnswerInput } from '#core/responses/model.ts';
import { questionsByName } from '#core/structure/names.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { isFullDate } from '#core/structure/types/date.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { toAnswerInput } from './state.ts';

export type Prefill = {
  /** The answers of a new response. */
  answers: readonly AnswerInput[];
  /** The ids of the questions whose values are not answers to them. Questions off the path are in neither list. */
  leftOut: readonly string[];
  /** The first section of the path. */
  firstSectionId: string | undefined;
};

/** Whether a link can answer a question: files and accounts are only given by the respondent. */
export const canBePrefilled = ({ type }: Pick<Question, 'type'>): boolean => !isSetByService(type);

/**
 * Finds the answers in the fields of a link, which name questions by their id or their name. `invited`: the answers that the invitation
 * of the respondent has decided. `now`: an ISO time.
 */
export function findPrefill(
  structure: Structure,
  sent: readonly (readonly [string, string])[],
  { now, invited = [] }: { now: string; invited?: readonly AnswerInput[] },
): Prefill {
  const named = questionsByName(structure);
  const fields = sent.map(([field, value]): [string, string] => {
    const id = named.get(field.slice(2).toLowerCase())?.id;
    return [id === undefined ? field : `${field.slice(0, 2)}${id}`, value];
  });
  const ids = [...new Set(fields.map(([name]) => name.slice(2)))];
  const inputs = withInvited(
    ids.flatMap((id) => toInput(structure, id, fields) ?? []),
    invited,
  );
  const empty = newResponse(structure.formId, structure.formId, structure.formId, now);
  const { response, faultsByQuestion } = saveValidAnswers({ response: empty, structure }, inputs, now, {
    isStart: true,
  });
  const { sections } = followPath({ response, structure });
  const isOffPath = (id: string): boolean => {
    const place = findQuestion(structure, id);
    return place !== undefined && !sections.includes(place.section.id);
  };
  const isAnswered = (id: string): boolean =>
    inputs.some(({ questionId }) => questionId === id) && !faultsByQuestion.has(id);
  return {
    answers: inputs.filter(({ questionId }) => !faultsByQuestion.has(questionId)),
    leftOut: ids.filter((id) => !isAnswered(id) && !isOffPath(id)),
    firstSectionId: sections[0],
  };
}

/** Builds the input of an answer; undefined for a question that a link cannot answer. */
function toInput(
  structure: Structure,
  id: string,
  fields: readonly (readonly [string, string])[],
): AnswerInput | undefined {
  const question = findQuestion(structure, id)?.question;
  if (!question || !canBePrefilled(question)) return undefined;
  const readValues = (name: string): string[] =>
    fields.flatMap(([field, value]) => (field === `${name}.${id}` ? [value] : []));
  const choices = listChoices(structure, id);
  const toId = (text: string): string =>
    (choices.find((choice) => choice.id === text) ?? choices.find(({ name }) => name === text))?.id ?? text;
  const values = readValues('q').map(toId);
  const [first = ''] = values;
  const isPartialDate = question.date !== undefined && !isFullDate(question.date);
  return toAnswerInput(question, {
    values: isPartialDate ? first.split('-') : values,
    other: readValues('o')[0] ?? '',
  });
}
