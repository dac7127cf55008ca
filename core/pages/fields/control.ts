/** What all controls of questions have in common. */
import type { Answer } from '#core/responses/model.ts';
import { attribute, type Html } from '../html.ts';
import type { FieldState, ShownQuestion } from './state.ts';

/** A question with what its controls contain. */
export type Field = {
  question: ShownQuestion;
  /** The stored answer. */
  answer: Answer | undefined;
  state: FieldState;
  error?: string | undefined;
  /** The answer was changed elsewhere while another one was typed here: shown to choose from. */
  elsewhere?: string | undefined;
  responseId: string;
};

/** The id of the control to which errors link. */
export const controlId = ({ id }: Pick<ShownQuestion, 'id'>): string => `q-${id}`;

/** What a control is described by: hint and error, as far as there are any. */
export function describedBy({ question, error }: Field, hint = false): Html {
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
