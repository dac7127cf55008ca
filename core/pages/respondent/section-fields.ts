/** The fields of a section: stored answers, or what was posted where that was not saved, with errors. Pure. */
import type { Problem } from '#core/problems/problems.ts';
import { demandedQuestions } from '#core/responses/completion.ts';
import { answerLookup, type Current } from '#core/responses/edits.ts';
import { pathAhead } from '#core/structure/path.ts';
import { findQuestion, findSection } from '#core/structure/structure.ts';
import type { Field } from '../fields/control.ts';
import { invalidText, requiredText } from '../fields/invalid.ts';
import { type FieldState, isOtherBlank, removedChoices, storedState } from '../fields/state.ts';
import type { PageContext } from '../shell/context.ts';
import { faultyQuestions, type ShownSection } from './navigation.ts';
import type { Outcome, Posted } from './section-save.ts';

type Unsaved = {
  posted: readonly Posted[];
  outcome: Outcome;
  /** Whether required questions must be answered now. */
  demandsAll: boolean;
  /** Errors of files, by question. */
  fileErrors?: ReadonlyMap<string, string>;
};

/** The fields; without `unsaved` those of the stored answers. */
export function sectionFields(
  context: PageContext,
  current: Current,
  section: ShownSection,
  unsaved?: Unsaved,
): Field[] {
  const { response } = current;
  const answerTo = answerLookup(response.answers);
  const demanded = demandedQuestions(current);
  // Which branches will wait is known only from the answers to come.
  const ahead = pathAhead(current.structure, answerTo).questions;
  // Saved, a change would leave a submitted response incomplete.
  const incomplete = new Set(unsaved?.outcome.problem ? faultyQuestions(unsaved.outcome.problem) : []);
  return section.questions.map((question): Field => {
    const answer = answerTo(question.id);
    const typed = unsaved?.posted.find((each) => each.question.id === question.id);
    const isInvalid = unsaved?.outcome.invalid.has(question.id) ?? false;
    const conflicting = unsaved?.outcome.conflicts.get(question.id);
    const keepsTyped = typed && (isInvalid || conflicting !== undefined || unsaved?.outcome.problem !== undefined);
    const stored = storedState(question, answer);
    const state = keepsTyped ? offeredState(question, typed.state, stored) : stored;
    const isMissing = unsaved?.demandsAll && !answer && demanded.has(question.id);
    const lacksText = unsaved?.demandsAll && isOtherBlank(question, typed?.state ?? state);
    const error = isInvalid
      ? invalidAnswerText(context, question, typed)
      : (unsaved?.fileErrors?.get(question.id) ??
        (isMissing || lacksText || incomplete.has(question.id) ? faultText(context, question, state) : undefined));
    const isOptional = !question.required && !demanded.has(question.id) && !ahead.has(question.id);
    const conflict = typed && conflicting !== undefined ? { text: conflicting, baseStamp: typed.stamp } : undefined;
    return { question, answer, state, isOptional, error, conflict, responseId: response.id };
  });
}

/** What is wrong with the answer in a field that keeps the response from being complete. */
function faultText(context: PageContext, question: Field['question'], state: FieldState): string {
  if (isOtherBlank(question, state)) return context.t.section.required.otherText;
  const isEmpty = question.type === 'UPLOAD_FILE' || question.type === 'OAUTH_CONNECT' || state.values.length === 0;
  return isEmpty ? requiredText(context, question) : invalidText(context, question);
}

/** The titles of questions in other sections that keep a submitted response from being complete after a change. */
export const missingElsewhere = ({ structure }: Current, section: ShownSection, problem: Problem): string[] =>
  faultyQuestions(problem).flatMap((id) => {
    const found = findQuestion(structure, id);
    return found && found.section.id !== section.id ? [found.question.title] : [];
  });

/** Why an answer is not valid: a choice was removed while the page was open, or what was typed does not fit. */
function invalidAnswerText(context: PageContext, question: Field['question'], typed: Posted | undefined): string {
  if (!typed || removedChoices(question, typed.state).length === 0) return invalidText(context, question);
  return context.t.section.invalid.removedChoice(typed.state.other);
}

/** The posted state without choices that are not offered any more; the stored one if nothing is left of it. */
function offeredState(question: Field['question'], typed: FieldState, stored: FieldState): FieldState {
  const removed = removedChoices(question, typed);
  if (removed.length === 0) return typed;
  const values = typed.values.filter((id) => !removed.includes(id));
  return values.length === 0 ? stored : { ...typed, values };
}

/** The description of a section. */
export const descriptionOf = ({ structure }: Current, sectionId: string) =>
  findSection(structure, sectionId)?.description ?? null;
