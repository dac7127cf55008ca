/**
 * Saves the posted answers of a section. Valid answers are saved even if others are not valid. An answer that was changed
 * in another tab since the page was rendered is not overwritten until the respondent has seen it and keeps their own.
 */
import type { Edit } from '#core/db/change.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { AnswerFault } from '#core/problems/answer-faults.ts';
import { Problem } from '#core/problems/problems.ts';
import { answerLookup, type Current } from '#core/responses/answers.ts';
import { type OpenedResponse, requireEditable } from '#core/responses/change.ts';
import { saveValidAnswers } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { changeAnswers, type Editable, viewEdited } from '#core/responses/pending-edit.ts';
import { isId } from '#core/schema/schema.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { displayValue } from '#core/structure/types/types.ts';
import type { FieldState, PageQuestion } from '../fields/control.ts';
import { hashAnswer, parsePostedState, toAnswerInput, toFieldState } from '../fields/state.ts';

/** A question that was on the posted page. */
export type PostedAnswer = { question: PageQuestion; state: FieldState; answerHash: string };

/** Parses the answers of a form: those of questions with a hash. Files and accounts are not answered by a form. */
export const parsePostedAnswers = (questions: readonly PageQuestion[], fields: URLSearchParams): PostedAnswer[] =>
  questions
    .filter(({ type }) => !isSetByService(type))
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
  /** The faults of the answers that are not valid. */
  faultsByQuestion: ReadonlyMap<string, AnswerFault>;
  /** The display texts of stored answers that were changed in another tab while they were typed here. */
  conflicts: ReadonlyMap<string, string>;
  /** The problem that prevented saving anything, such as a form that has closed. */
  problem?: Problem;
};

/**
 * Saves the answers that can be saved. Throws like `changeResponse`, except for problems of the answers and of the form; of
 * answers that are too long together only the page tells, because scripts keep what was typed by themselves.
 */
export async function savePosted(
  app: ChangePorts,
  editable: Editable,
  { posted, fromScript, sends }: { posted: readonly PostedAnswer[]; fromScript: boolean; sends: boolean },
): Promise<{ editable: Editable; outcome: SaveOutcome }> {
  const edit = (current: OpenedResponse, now: string): Edit<Response, SaveOutcome> => {
    const { response, outcome } = mergeAnswers(current, posted, now);
    // Who cannot change anything is not asked to correct or to choose.
    if (outcome.faultsByQuestion.size + outcome.conflicts.size > 0) requireEditable(current, app.now());
    return { next: response, body: outcome };
  };
  try {
    const { body, editable: saved } = await changeAnswers(app, editable, edit, {
      sends: ({ faultsByQuestion, conflicts }) => sends && faultsByQuestion.size + conflicts.size === 0,
    });
    return { editable: saved, outcome: body };
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      !(DISPLAYED_CODES.has(error.code) || (!fromScript && error.code === 'content_too_large'))
    )
      throw error;
    if (error.code !== 'response_incomplete')
      return { editable, outcome: { faultsByQuestion: new Map(), conflicts: new Map(), problem: error } };
    const { outcome } = mergeAnswers(viewEdited(editable), posted, app.now().toISOString());
    return { editable, outcome: { ...outcome, problem: error } };
  }
}

const DISPLAYED_CODES: ReadonlySet<string> = new Set([
  'form_not_open',
  'no_place_left',
  'response_submitted',
  'response_incomplete',
]);

/** Saves the answers that are valid and not in conflict into the response. Pure. */
export function mergeAnswers(
  current: Current,
  posted: readonly PostedAnswer[],
  now: string,
): { response: Response; outcome: SaveOutcome } {
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
  const { response, faultsByQuestion } = saveValidAnswers(current, inputs, now);
  return { response, outcome: { faultsByQuestion, conflicts } };
}
