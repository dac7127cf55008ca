/**
 * Saves the posted answers of a section. Valid answers are saved even if others are not valid. An answer that was changed
 * in another tab since the page was rendered is not overwritten until the respondent has seen it and keeps their own.
 */
import type { ChangePorts } from '#core/db/ports.ts';
import { Problem } from '#core/problems/problems.ts';
import { changeResponse, type OpenedResponse } from '#core/responses/change.ts';
import { answerLookup, type Current, saveAnswers } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { isId } from '#core/schema/schema.ts';
import { displayValue } from '#core/structure/answer-content.ts';
import {
  type FieldState,
  hashAnswer,
  type PageQuestion,
  parsePostedState,
  toAnswerInput,
  toFieldState,
} from '../fields/state.ts';

/** A question that was on the posted page. */
export type PostedAnswer = { question: PageQuestion; state: FieldState; answerHash: string };

/** Parses the answers of a form: those of questions with a hash. Files and accounts are not answered by a form. */
export const parsePostedAnswers = (questions: readonly PageQuestion[], fields: URLSearchParams): PostedAnswer[] =>
  questions
    .filter(({ type }) => type !== 'UPLOAD_FILE' && type !== 'OAUTH_CONNECT')
    .flatMap((question) => {
      const answerHash = fields.get(`s.${question.id}`);
      return answerHash === null ? [] : [{ question, answerHash, state: parsePostedState(question, fields) }];
    });

/** Finds the ids of posted questions that were removed from the section. */
export const findRemovedIds = (questions: readonly PageQuestion[], fields: URLSearchParams): string[] =>
  [...fields.keys()]
    .filter((name) => name.startsWith('s.'))
    .map((name) => name.slice(2))
    .filter((id) => !questions.some((question) => question.id === id));

/** Lists the texts that were typed into the controls of a removed question, without ids of choices. */
export const listTypedTexts = (questionId: string, fields: URLSearchParams): string[] =>
  ['q', 'o', 'y', 'm', 'd']
    .flatMap((letter) => fields.getAll(`${letter}.${questionId}`))
    .filter((text) => text.trim() !== '' && !isId(text));

/** Which posted answers were saved, by question. */
export type SaveOutcome = {
  response: Response;
  /** The questions whose answers are not valid. */
  invalid: ReadonlySet<string>;
  /** The display texts of stored answers that were changed in another tab while they were typed here. */
  conflicts: ReadonlyMap<string, string>;
  /** The problem that prevented saving anything, such as a form that has closed. */
  problem?: Problem;
};

/** Saves the answers that can be saved. Throws like `changeResponse`, except for problems of the answers and of the form. */
export async function savePosted(
  app: ChangePorts,
  opened: OpenedResponse,
  posted: readonly PostedAnswer[],
): Promise<SaveOutcome> {
  let outcome: SaveOutcome = { response: opened.response, invalid: new Set(), conflicts: new Map() };
  try {
    return await changeResponse(
      app,
      opened,
      (current, now) => {
        outcome = mergeAnswers(current, posted, now);
        return outcome.response;
      },
      (response) => ({ ...outcome, response }),
    );
  } catch (error) {
    if (!(error instanceof Problem) || !DISPLAYED_CODES.has(error.code)) throw error;
    return { ...outcome, response: opened.response, problem: error };
  }
}

const DISPLAYED_CODES: ReadonlySet<string> = new Set(['form_not_open', 'response_submitted', 'response_incomplete']);

/** Saves the answers that are valid and not in conflict into the response. Pure. */
export function mergeAnswers(current: Current, posted: readonly PostedAnswer[], now: string): SaveOutcome {
  const answerTo = answerLookup(current.response.answers);
  const conflicts = new Map<string, string>();
  const inputs = posted.flatMap(({ question, state, answerHash }): AnswerInput[] => {
    const answer = answerTo(question.id);
    const storedHash = hashAnswer(question, toFieldState(question, answer));
    const typedHash = hashAnswer(question, state);
    if (typedHash === storedHash || typedHash === answerHash) return [];
    if (storedHash === answerHash) return [toAnswerInput(question, state)];
    conflicts.set(question.id, answer ? displayValue(answer) : '');
    return [];
  });
  return { ...saveValid(current, inputs, now), conflicts };
}

/** Saves the inputs without those that are not valid. Each attempt leaves out at least one, so this ends. */
function saveValid(
  current: Current,
  inputs: readonly AnswerInput[],
  now: string,
): Pick<SaveOutcome, 'response' | 'invalid'> {
  const invalid = new Set<string>();
  let remaining = inputs;
  while (remaining.length > 0) {
    try {
      return { response: saveAnswers(current, remaining, now), invalid };
    } catch (error) {
      const faulty = error instanceof Problem ? findFaultyInputs(error, remaining) : [];
      if (faulty.length === 0) throw error;
      for (const { questionId } of faulty) invalid.add(questionId);
      remaining = remaining.filter((input) => !faulty.includes(input));
    }
  }
  return { response: current.response, invalid };
}

const findFaultyInputs = ({ errors }: Problem, inputs: readonly AnswerInput[]): AnswerInput[] =>
  errors.flatMap(({ pointer }) => inputs[Number(/^\/body\/answers\/(\d+)/.exec(pointer)?.[1] ?? -1)] ?? []);
