/**
 * The fields of a section: stored answers, or posted ones that were not saved, each with its error. Pure.
 */
import { type AnswerFault, fault } from '#core/problems/answer-faults.ts';
import { answerLookup, type Current, demandedQuestions, findPath, followPath } from '#core/responses/answers.ts';
import type { Answer } from '#core/responses/model.ts';
import { type Editable, isPending } from '#core/responses/pending-edit.ts';
import { recallBefore, recallInDocument } from '#core/responses/recall.ts';
import { findSection } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { judgeAnswer } from '#core/structure/types/types.ts';
import { type Field, type FieldState, isOtherBlank, type PageQuestion } from '../fields/control.ts';
import { faultText } from '../fields/invalid.ts';
import { findRemovedChoices, toFieldState } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import type { PageSection } from './navigation.ts';
import type { PostedAnswer, SaveOutcome } from './section-save.ts';

/** What was posted and is not stored, or not yet as it should be. */
export type Unsaved = {
  posted: readonly PostedAnswer[];
  outcome: SaveOutcome;
  /** Whether required questions must be answered now, and what was answered must be what the questions ask for. */
  demandsAll: boolean;
  /** Errors of files, by question. */
  fileErrors?: ReadonlyMap<string, string>;
};

/** Builds the fields; without `unsaved` those of the stored answers. `places`: how many are left, by choice. */
export function sectionFields(
  context: PageContext,
  current: Current,
  section: PageSection,
  { unsaved, places }: { unsaved?: Unsaved; places?: ReadonlyMap<string, number> } = {},
): Field[] {
  const { response } = current;
  const answerTo = answerLookup(response.answers);
  const demanded = demandedQuestions(current);
  return section.questions.map((question): Field => {
    const answer = answerTo(question.id);
    const typed = unsaved?.posted.find((postedAnswer) => postedAnswer.question.id === question.id);
    const conflicting = unsaved?.outcome.conflicts.get(question.id);
    const state = chooseState(question, toFieldState(question, answer), typed, unsaved?.outcome);
    const isDemanded = demanded.has(question.id);
    const error = unsaved && findError(context, { question, answer, typed, state, isDemanded }, unsaved);
    const conflict = typed && conflicting !== undefined ? { text: conflicting, baseHash: typed.answerHash } : undefined;
    const isOptional = !question.required;
    return { question, answer, state, isOptional, error, conflict, responseId: response.id, places };
  });
}

/** Marks the fields of files and accounts in sections that the stored response does not have: they are given once the edit is sent. */
export function markLater(editable: Editable, fields: readonly Field[]): readonly Field[] {
  if (!isPending(editable)) return fields;
  const asked = followPath(editable.opened).questions;
  return fields.map((field) =>
    isSetByService(field.question.type) && !asked.has(field.question.id) ? { ...field, isLater: true } : field,
  );
}

/** What a field shows: the typed answer if it was not saved, without choices that are no longer offered. */
function chooseState(
  question: PageQuestion,
  stored: FieldState,
  typed: PostedAnswer | undefined,
  outcome: SaveOutcome | undefined,
): FieldState {
  const { id } = question;
  const isUnsaved = outcome && (outcome.faultsByQuestion.has(id) || outcome.conflicts.has(id) || outcome.problem);
  return typed && isUnsaved ? withoutRemovedChoices(question, typed.state, stored) : stored;
}

type Answered = {
  question: PageQuestion;
  answer: Answer | undefined;
  typed: PostedAnswer | undefined;
  state: FieldState;
  isDemanded: boolean;
};

/**
 * Returns the error of a question, the first of these: the typed answer is not valid; a file was refused; saved, the change
 * would leave a submitted response incomplete; where everything is demanded, what is missing.
 */
function findError(
  context: PageContext,
  answered: Answered,
  { outcome, fileErrors, demandsAll }: Unsaved,
): string | undefined {
  const { question, typed } = answered;
  const invalid = outcome.faultsByQuestion.get(question.id);
  if (invalid) return invalidAnswerText(context, question, { invalid, typed });
  const refusedFile = fileErrors?.get(question.id);
  if (refusedFile !== undefined) return refusedFile;
  const incomplete = outcome.problem?.faultsByQuestion.get(question.id);
  const missing = incomplete ?? (demandsAll ? findMissing(answered) : undefined);
  return missing && faultText(context, question, missing);
}

/** What an answer lacks: it is not what the question asks for, the text of "Other" is blank, or there is none. */
function findMissing({ question, answer, typed, state, isDemanded }: Answered): AnswerFault | undefined {
  const [judged] = answer ? judgeAnswer(question, answer, question.choices ?? []) : [];
  if (judged) return judged;
  if (isOtherBlank(question, typed?.state ?? state)) return fault('', 'other_text_required');
  return !answer && isDemanded ? fault('', 'required') : undefined;
}

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
  const recall = recallBefore(current, findPath(current), sectionId);
  return recallInDocument(findSection(current.structure, sectionId)?.description ?? null, recall);
}
