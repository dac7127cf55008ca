/** The fields of a section: stored answers, or posted ones that were not saved, with errors. Pure. */
import type { Problem } from '#core/problems/problems.ts';
import { demandedQuestions } from '#core/responses/completion.ts';
import { answerLookup, type Current } from '#core/responses/edits.ts';
import { pathAhead } from '#core/structure/path.ts';
import { findQuestion, findSection } from '#core/structure/structure.ts';
import type { Field } from '../fields/control.ts';
import { invalidText, requiredText } from '../fields/invalid.ts';
import { type FieldState, findRemovedChoices, isOtherBlank, toFieldState } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import { listFaultyQuestions, type PageSection } from './navigation.ts';
import type { PostedAnswer, SaveOutcome } from './section-save.ts';

type Unsaved = {
  posted: readonly PostedAnswer[];
  outcome: SaveOutcome;
  /** Whether required questions must be answered now. */
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
  // Only later answers decide which branches depend on these questions.
  const questionsAhead = pathAhead(current.structure, answerTo).questions;
  // Saved, a change would leave a submitted response incomplete.
  const incomplete = new Set(unsaved?.outcome.problem ? listFaultyQuestions(unsaved.outcome.problem) : []);
  return section.questions.map((question): Field => {
    const answer = answerTo(question.id);
    const typed = unsaved?.posted.find((postedAnswer) => postedAnswer.question.id === question.id);
    const isInvalid = unsaved?.outcome.invalid.has(question.id) ?? false;
    const conflicting = unsaved?.outcome.conflicts.get(question.id);
    const keepsTyped = typed && (isInvalid || conflicting !== undefined || unsaved?.outcome.problem !== undefined);
    const stored = toFieldState(question, answer);
    const state = keepsTyped ? withoutRemovedChoices(question, typed.state, stored) : stored;
    const isMissing = unsaved?.demandsAll && !answer && demanded.has(question.id);
    const lacksText = unsaved?.demandsAll && isOtherBlank(question, typed?.state ?? state);
    const error = isInvalid
      ? invalidAnswerText(context, question, typed)
      : (unsaved?.fileErrors?.get(question.id) ??
        (isMissing || lacksText || incomplete.has(question.id) ? faultText(context, question, state) : undefined));
    const isOptional = !question.required && !demanded.has(question.id) && !questionsAhead.has(question.id);
    const conflict = typed && conflicting !== undefined ? { text: conflicting, baseHash: typed.answerHash } : undefined;
    return { question, answer, state, isOptional, error, conflict, responseId: response.id };
  });
}

/** Returns the message for an answer that keeps the response from being complete. */
function faultText(context: PageContext, question: Field['question'], state: FieldState): string {
  if (isOtherBlank(question, state)) return context.t.section.required.otherText;
  const isEmpty = question.type === 'UPLOAD_FILE' || question.type === 'OAUTH_CONNECT' || state.values.length === 0;
  return isEmpty ? requiredText(context, question) : invalidText(context, question);
}

/** Lists the titles of questions in other sections that a change would leave without a required answer. */
export const listMissingElsewhere = ({ structure }: Current, section: PageSection, problem: Problem): string[] =>
  listFaultyQuestions(problem).flatMap((id) => {
    const place = findQuestion(structure, id);
    return place && place.section.id !== section.id ? [place.question.title] : [];
  });

/** Returns why an answer is not valid: a choice was removed while the page was open, or the typed text does not fit. */
function invalidAnswerText(context: PageContext, question: Field['question'], typed: PostedAnswer | undefined): string {
  if (!typed || findRemovedChoices(question, typed.state).length === 0) return invalidText(context, question);
  return context.t.section.invalid.removedChoice(typed.state.other);
}

/** Removes choices that are no longer offered from the posted state; returns the stored state if no choice remains. */
function withoutRemovedChoices(question: Field['question'], typed: FieldState, stored: FieldState): FieldState {
  const removed = findRemovedChoices(question, typed);
  if (removed.length === 0) return typed;
  const values = typed.values.filter((id) => !removed.includes(id));
  return values.length === 0 ? stored : { ...typed, values };
}

/** Finds the description of a section, or null. */
export const findDescription = ({ structure }: Current, sectionId: string) =>
  findSection(structure, sectionId)?.description ?? null;
