/** What all controls of questions have in common. */
import type { Answer } from '#core/responses/model.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import type { FieldState, ShownQuestion } from './state.ts';

/** A question with what its controls contain. */
export type Field = {
  question: ShownQuestion;
  /** The stored answer. */
  answer: Answer | undefined;
  state: FieldState;
  /** The respondent may leave the question out: it is not required, and the path does not depend on it. */
  isOptional: boolean;
  error?: string | undefined;
  /**
   * An answer that was saved in another tab or on another device while this one was typed: its display text, and the
   * stamp of the answer on which the typed one is based.
   */
  conflict?: { text: string; baseStamp: string } | undefined;
  responseId: string;
};

/** The id of the control to which errors link. */
export const controlId = ({ id }: Pick<ShownQuestion, 'id'>): string => `q-${id}`;

/** Whether a question has a hint of its own: what the ends of a scale mean, or which dates are allowed. */
export const hasHint = ({ scale, date }: ShownQuestion): boolean =>
  Boolean(scale?.minValueLabel || scale?.maxValueLabel || date?.minDate || date?.maxDate);

/** What a control is described by: hint and error, as far as there are any. */
export function describedBy({ question, error }: Field, hint = hasHint(question)): Html {
  const id = controlId(question);
  const ids = [
    question.descriptionHtml === '' ? '' : `${id}-description`,
    hint ? `${id}-hint` : '',
    error === undefined ? '' : `${id}-error`,
  ].filter((each) => each !== '');
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '));
}

/** The attributes that mark an invalid control. */
export const invalidMark = ({ error }: Field): Html => attribute('aria-invalid', error !== undefined && 'true');

/** A radio button that clears the answer to a question that may be left out. */
export const noAnswer = ({ t }: PageContext, { question, state, isOptional }: Field): Html | undefined =>
  isOptional
    ? html`<label class="no-answer"><input type="radio" name="q.${question.id}" value=""${attribute('checked', state.values.length === 0)}> ${t.section.noAnswer}</label>`
    : undefined;
