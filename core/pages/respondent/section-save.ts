/**
 * Saves the posted answers of a section. Answers that are valid are saved although others are not. An answer that was
 * changed elsewhere since the page was made is not overwritten until the respondent has seen it and keeps the own one.
 */
import type { ChangePorts } from '#core/db/ports.ts';
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, type OpenedResponse } from '#core/responses/change.ts';
import { answerLookup, type Current, saveAnswers } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { isId } from '#core/schema/schema.ts';
import { displayValue } from '#core/structure/answer-content.ts';
import { type FieldState, inputOf, postedState, type ShownQuestion, stampOf, storedState } from '../fields/state.ts';

/** A question that was on the posted page. */
export type Posted = { question: ShownQuestion; state: FieldState; stamp: string };

/** The questions that a form contains: those with a stamp. Files and accounts are not answered by a form. */
export const postedOf = (questions: readonly ShownQuestion[], fields: URLSearchParams): Posted[] =>
  questions
    .filter(({ type }) => type !== 'UPLOAD_FILE' && type !== 'OAUTH_CONNECT')
    .flatMap((question) => {
      const stamp = fields.get(`s.${question.id}`);
      return stamp === null ? [] : [{ question, stamp, state: postedState(question, fields) }];
    });

/** The ids of posted questions that the section does not have any more. */
export const removedIds = (questions: readonly ShownQuestion[], fields: URLSearchParams): string[] =>
  [...fields.keys()]
    .filter((name) => name.startsWith('s.'))
    .map((name) => name.slice(2))
    .filter((id) => !questions.some((question) => question.id === id));

/** The texts that were typed into the controls of a removed question; the ids of choices mean nothing to people. */
export const textsOf = (questionId: string, fields: URLSearchParams): string[] =>
  ['q', 'o', 'y', 'm', 'd']
    .flatMap((letter) => fields.getAll(`${letter}.${questionId}`))
    .filter((text) => text.trim() !== '' && !isId(text));

/** Which posted answers were saved, by question. */
export type Outcome = {
  response: Response;
  /** The questions whose answers are not valid. */
  invalid: ReadonlySet<string>;
  /** The answers that were changed elsewhere and typed here: the display text of the other one. */
  conflicts: ReadonlyMap<string, string>;
  /** The problem that kept everything from being saved, such as a form that has closed. */
  problem?: Problem;
};

/** Saves what can be saved. Throws like `changeResponse`, except for problems of the answers and of the form. */
export async function savePosted(
  app: ChangePorts,
  opened: OpenedResponse,
  posted: readonly Posted[],
): Promise<Outcome> {
  let outcome: Outcome = { response: opened.response, invalid: new Set(), conflicts: new Map() };
  try {
    return await changeResponse(
      app,
      opened,
      (current, now) => {
        outcome = merged(current, posted, now);
        return outcome.response;
      },
      (response) => ({ ...outcome, response }),
    );
  } catch (error) {
    if (!(error instanceof Problem) || !SHOWN.has(error.code)) throw error;
    return { ...outcome, response: opened.response, problem: error };
  }
}

const SHOWN: ReadonlySet<string> = new Set(['form_not_open', 'response_submitted', 'response_incomplete']);

/** The response with the answers that are valid and not in conflict. Pure. */
export function merged(current: Current, posted: readonly Posted[], now: string): Outcome {
  const answerTo = answerLookup(current.response.answers);
  const conflicts = new Map<string, string>();
  const inputs = posted.flatMap(({ question, state, stamp }): AnswerInput[] => {
    const answer = answerTo(question.id);
    const stored = stampOf(question, storedState(question, answer));
    const typed = stampOf(question, state);
    if (typed === stored || typed === stamp) return [];
    if (stored === stamp) return [inputOf(question, state)];
    conflicts.set(question.id, answer ? displayValue(answer) : '');
    return [];
  });
  return { ...savedValid(current, inputs, now), conflicts };
}

/** Saves the inputs without those that are not valid. Each attempt leaves out at least one, so this ends. */
function savedValid(
  current: Current,
  inputs: readonly AnswerInput[],
  now: string,
): Pick<Outcome, 'response' | 'invalid'> {
  const invalid = new Set<string>();
  let rest = inputs;
  while (rest.length > 0) {
    try {
      return { response: saveAnswers(current, rest, now), invalid };
    } catch (error) {
      const faulty = error instanceof Problem ? faultyInputs(error, rest) : [];
      if (faulty.length === 0) throw error;
      for (const { questionId } of faulty) invalid.add(questionId);
      rest = rest.filter((input) => !faulty.includes(input));
    }
  }
  return { response: current.response, invalid };
}

const faultyInputs = ({ errors }: Problem, inputs: readonly AnswerInput[]): AnswerInput[] =>
  errors.flatMap(({ pointer }) => inputs[Number(/^\/body\/answers\/(\d+)/.exec(pointer)?.[1] ?? -1)] ?? []);
