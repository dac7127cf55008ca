/** What the form of a question is about: what its fields are shown, checked and rendered for. */
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';

export type QuestionTarget = {
  structure: Structure;
  /** The section of the question. */
  sectionId: string;
  /** The stored question; none for a new one. */
  question?: Question | undefined;
  /** Whether it has answers, so that its type stays. */
  isAnswered: boolean;
  /** The type that is chosen, which may not be stored yet. */
  type: QuestionType;
  /** The index of the choice that takes the focus. */
  focus?: number | undefined;
};
