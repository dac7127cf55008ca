/** The fields of a section: stored answers, or what was posted where that was not saved, with errors. Pure. */
import { answersBy, type Current } from '#core/responses/changes.ts';
import { walk } from '#core/structure/path.ts';
import { findSection } from '#core/structure/structure.ts';
import type { Field } from './fields/control.ts';
import { invalidText, requiredText } from './fields/invalid.ts';
import { storedState } from './fields/state.ts';
import type { ShownSection } from './navigation.ts';
import type { Outcome, Posted } from './section-save.ts';
import type { View } from './view.ts';

type Unsaved = {
  posted: readonly Posted[];
  outcome: Outcome;
  /** Whether required questions must be answered now. */
  demandsAll: boolean;
  /** Errors of files, by question. */
  fileErrors?: ReadonlyMap<string, string>;
};

/** The fields; without `unsaved` those of the stored answers. */
export function sectionFields(view: View, current: Current, section: ShownSection, unsaved?: Unsaved): Field[] {
  const { response } = current;
  const answerTo = answersBy(response.answers);
  return section.questions.map((question): Field => {
    const answer = answerTo(question.id);
    const typed = unsaved?.posted.find((each) => each.question.id === question.id);
    const isInvalid = unsaved?.outcome.invalid.has(question.id) ?? false;
    const elsewhere = unsaved?.outcome.conflicts.get(question.id);
    const keepsTyped = typed && (isInvalid || elsewhere !== undefined || unsaved?.outcome.problem !== undefined);
    const missing = unsaved?.demandsAll && !answer && isDemanded(current, question) && requiredText(view, question);
    const error = isInvalid
      ? invalidText(view, question)
      : (unsaved?.fileErrors?.get(question.id) ?? (missing || undefined));
    const state = keepsTyped ? typed.state : storedState(question, answer);
    return { question, answer, state, error, elsewhere, responseId: response.id };
  });
}

/** Whether a question must be answered to go on: it is required, or the path depends on it. */
function isDemanded({ response, structure }: Current, { id, required, choices }: Field['question']): boolean {
  if (walk(structure, answersBy(response.answers)).waitsFor === id) return true;
  return required && (choices === undefined || choices.length > 0);
}

/** The description of a section. */
export const descriptionOf = ({ structure }: Current, sectionId: string) =>
  findSection(structure, sectionId)?.description ?? null;
