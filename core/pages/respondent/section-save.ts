/**
 * Saves the posted answers of a section. Valid answers are saved even if others are not valid. An answer that was changed
 * in another tab since the page was rendered is not overwritten until the respondent has seen it and keeps their own.
 */

import type { ChangePorts } from '#core/db/ports.ts';
import { type AnswerFault, fault } from '#core/problems/answer-faults.ts';
import { Problem } from '#core/problems/problems.ts';
import { answerLookup, type Current, demandedQuestions } from '#core/responses/answers.ts';
import { changeResponse, type OpenedResponse, requireEditable } from '#core/responses/change.ts';
import { saveValidAnswers } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import { findPath } from '#core/responses/preview.ts';
import { recallFrom, recallInDocument } from '#core/responses/recall.ts';
import { isId } from '#core/schema/schema.ts';
import { findQuestion, findSection } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { displayValue, judgeAnswer } from '#core/structure/types/types.ts';
import { type Field, type FieldState, isOtherBlank, type PageQuestion } from '../fields/control.ts';
import { faultText } from '../fields/invalid.ts';
import { findRemovedChoices, hashAnswer, parsePostedState, toAnswerInput, toFieldState } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import type { PageSection } from './navigation.ts';

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
  response: Response;
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
  opened: OpenedResponse,
  { posted, fromScript }: { posted: readonly PostedAnswer[]; fromScript: boolean },
): Promise<SaveOutcome> {
  try {
    const { body, opened: saved } = await changeResponse(app, opened, (current, now) => {
      const { response, ...outcome } = mergeAnswers(current, posted, now);
      // Who cannot change anything is not asked to correct or to choose.
      if (outcome.faultsByQuestion.size + outcome.conflicts.size > 0) requireEditable(current, app.now());
      return { next: response, body: outcome };
    });
    return { ...body, response: saved.response };
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      !(DISPLAYED_CODES.has(error.code) || (!fromScript && error.code === 'content_too_large'))
    )
      throw error;
    const { response } = opened;
    if (error.code !== 'response_incomplete')
      return { faultsByQuestion: new Map(), conflicts: new Map(), response, problem: error };
    return { ...mergeAnswers(opened, posted, app.now().toISOString()), response, problem: error };
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
  return { ...saveValidAnswers(current, inputs, now), conflicts };
}

// The fields of a section: stored answers, or posted ones that were not saved, with errors. Pure.

type Unsaved = {
  posted: readonly PostedAnswer[];
  outcome: SaveOutcome;
  /** Whether required questions must be answered now, and what was answered must be what the questions ask for. */
  demandsAll: boolean;
  /** Errors of files, by question. */
  fileErrors?: ReadonlyMap<string, string>;
};

/** Builds the fields; without `unsaved` those of the stored answers. */
export function sectionFields(
  context: PageContext,
  current: Current,
  section: PageSection,
  unsaved?: Unsaved,
): Field[] {
  const { response } = current;
  const answerTo = answerLookup(response.answers);
  const demanded = demandedQuestions(current);
  return section.questions.map((question): Field => {
    const answer = answerTo(question.id);
    const typed = unsaved?.posted.find((postedAnswer) => postedAnswer.question.id === question.id);
    const invalid = unsaved?.outcome.faultsByQuestion.get(question.id);
    const conflicting = unsaved?.outcome.conflicts.get(question.id);
    const keepsTyped = typed && (invalid || conflicting !== undefined || unsaved?.outcome.problem !== undefined);
    const stored = toFieldState(question, answer);
    const state = keepsTyped ? withoutRemovedChoices(question, typed.state, stored) : stored;
    const isMissing = unsaved?.demandsAll && !answer && demanded.has(question.id);
    const lacksText = unsaved?.demandsAll && isOtherBlank(question, typed?.state ?? state);
    // Saved, a change would leave a submitted response incomplete.
    const incomplete = unsaved?.outcome.problem?.faultsByQuestion.get(question.id);
    const judged = unsaved?.demandsAll && answer ? judgeAnswer(question, answer, question.choices ?? [])[0] : undefined;
    const missing =
      incomplete ??
      judged ??
      (lacksText ? fault('', 'other_text_required') : isMissing ? fault('', 'required') : undefined);
    const error = invalid
      ? invalidAnswerText(context, question, { invalid, typed })
      : (unsaved?.fileErrors?.get(question.id) ?? (missing && faultText(context, question, missing)));
    const conflict = typed && conflicting !== undefined ? { text: conflicting, baseHash: typed.answerHash } : undefined;
    return { question, answer, state, isOptional: !question.required, error, conflict, responseId: response.id };
  });
}

/** Lists the titles of questions in other sections that a change would leave without a required answer. */
export const listMissingInOtherSections = ({ structure }: Current, section: PageSection, problem: Problem): string[] =>
  [...problem.faultsByQuestion.keys()].flatMap((id) => {
    const place = findQuestion(structure, id);
    return place && place.section.id !== section.id ? [place.question.title] : [];
  });

/** Returns why an answer is not valid: a choice was removed while the page was open, or the typed text does not fit. */
function invalidAnswerText(
  context: PageContext,
  question: PageQuestion,
  { invalid, typed }: { invalid: AnswerFault; typed: PostedAnswer | undefined },
): string {
  return typed && findRemovedChoices(question, typed.state).length > 0
    ? context.t.section.invalid.removedChoice(typed.state.other)
    : faultText(context, question, invalid, typed?.state.values);
}

/** Removes choices that are no longer offered from the posted state; returns the stored state if no choice remains. */
function withoutRemovedChoices(question: Field['question'], typed: FieldState, stored: FieldState): FieldState {
  const removed = findRemovedChoices(question, typed);
  if (removed.length === 0) return typed;
  const values = typed.values.filter((id) => !removed.includes(id));
  return values.length === 0 ? stored : { ...typed, values };
}

/** Finds the description of a section as its respondent reads it, or null. */
export function findDescription(current: Current, sectionId: string) {
  const path = findPath(current);
  const recall = recallFrom(current, path.slice(0, Math.max(path.indexOf(sectionId), 0)));
  return recallInDocument(findSection(current.structure, sectionId)?.description ?? null, recall);
}
