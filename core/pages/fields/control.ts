/** The parts that all controls of questions share. */

import { lacksOtherText } from '#core/responses/answers.ts';
import type { Answer } from '#core/responses/model.ts';
import { isEmptyDocument } from '#core/rich-text/html.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { isIds } from '#core/structure/types/content.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';

/** A question with the choices that this respondent may select. */
export type PageQuestion = Question;

/** The texts in the controls of a question; of a date, its parts in order. */
export type FieldState = { values: readonly string[]; other: string };

/** A question with the state of its controls. */
export type Field = {
  question: PageQuestion;
  /** The stored answer. */
  answer: Answer | undefined;
  state: FieldState;
  /** The respondent may leave the question out: it is not required, and the path does not depend on it. */
  isOptional: boolean;
  error?: string | undefined;
  /**
   * An answer that was saved in another tab or on another device while this one was typed: its display text, and the hash
   * of the answer on which the typed one is based.
   */
  conflict?: { text: string; baseHash: string } | undefined;
  responseId: string;
  /** What the controls need to be understood. */
  hint?: Html | string | undefined;
  /** How many places limited choices have left, by id. */
  places?: ReadonlyMap<string, number> | undefined;
  /** The form is only tried: files and accounts are shown, but cannot be given. */
  isPreview?: boolean;
  /** Files and accounts cannot be given yet: the stored response does not have the section of the question. */
  isLater?: boolean;
};

/** Builds the id of the control to which errors link. */
export const controlId = ({ id }: Pick<PageQuestion, 'id'>): string => `q-${id}`;

/** Renders `aria-describedby`: the ids of the description, hint and error that exist. */
export function describedBy({ question, error, hint }: Field): Html {
  const id = controlId(question);
  const ids = [
    isEmptyDocument(question.description) ? '' : `${id}-description`,
    hint === undefined ? '' : `${id}-hint`,
    error === undefined ? '' : `${id}-error`,
  ].filter((elementId) => elementId !== '');
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '));
}

/** Renders the attribute that marks an invalid control. */
export const invalidMark = ({ error }: Field): Html => attribute('aria-invalid', error !== undefined && 'true');

/**
 * Renders a radio button that clears the answer to an optional question. It is there once something is chosen: nothing is
 * chosen beforehand that looks like an answer.
 */
export const noAnswer = ({ t }: PageContext, { question, isOptional }: Field): Html | undefined =>
  isOptional
    ? html`<label class="no-answer"><input type="radio" name="q.${question.id}" value=""> ${t.section.clear}</label>`
    : undefined;

/** Says how many places a limited choice has left. */
export const placesText = ({ t }: PageContext, { places }: Field, { id }: Choice): string | undefined => {
  const left = places?.get(id);
  return left === undefined ? undefined : left === 0 ? t.section.noPlace : t.landing.places(left);
};

/** Whether a choice has no place left for a respondent who has not chosen it. */
export function isFull({ places, state, answer }: Field, { id }: Choice): boolean {
  const isChosen = state.values.includes(id) || (isIds(answer?.value) && answer.value.includes(id));
  return places?.get(id) === 0 && !isChosen;
}

/** Finds the choice of a question whose text the respondent enters. */
export const findOtherChoice = ({ choices = [] }: PageQuestion): Choice | undefined =>
  choices.find(({ isOther }) => isOther === true);

/** Whether the other choice is selected without the text that it needs because it has no name. */
export const isOtherBlank = (question: PageQuestion, { values, other }: FieldState): boolean =>
  lacksOtherText(question, { value: [...values], otherText: other });
