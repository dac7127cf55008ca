/** What a question type means on a page: the shape of an entry of `fields.ts`. */
import type { Answer } from '#core/responses/model.ts';
import type { SentValue } from '#core/structure/types/content.ts';
import type { PageContext } from '../shell/context.ts';
import type { Html } from '../shell/html.ts';
import type { Field, PageQuestion } from './control.ts';

export type FieldType = {
  /** Renders the controls. */
  render: (context: PageContext, field: Field) => Html;
  /** Whether there is one control, with a label; several form a group. */
  isSingle: (question: PageQuestion) => boolean;
  /** Renders what the controls need to be understood. */
  hint?: (context: PageContext, question: PageQuestion) => Html | string | undefined;
  /** Converts a stored answer to the texts in the controls; by default its value, or its ids. */
  toTexts?: (question: PageQuestion, answer: Answer) => string[];
  /** Parses the posted controls; by default, or if undefined, those named `q.`. `text`: of the control of a letter. */
  parse?: (question: PageQuestion, text: (letter: string) => string) => string[] | undefined;
  /** Converts the texts in the controls, of which there is at least one, to the value that is sent. */
  toValue: (texts: readonly string[], question: PageQuestion) => SentValue;
  /** Whether the controls send files. */
  sendsFiles?: true;
  /** Whether the controls have a button that clears the answer. */
  hasClearButton?: true;
  /** The message for a required question without an answer: a member of `t.section.required`. */
  required: keyof PageContext['t']['section']['required'];
  /** Returns the message for an answer that is not valid; `texts`: those in the controls, if they are known. `invalid.ts` has those of faults that any type can have. */
  invalid: (context: PageContext, question: PageQuestion, texts: readonly string[]) => string;
};
