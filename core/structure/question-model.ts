/**
 * Questions: the schemas in which they are sent, stored and returned. What the types mean is
 * in `types/`; the rules of all questions are in `question-rules.ts`.
 */

import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { Choice, ChoiceInput } from './types/choices.ts';
import { type QuestionOptions, returnedOptions, sentOptions } from './types/options.ts';
import { QUESTION_TYPES } from './types/traits.ts';

export const QuestionType = schema(() => z.enum(QUESTION_TYPES).meta({ id: 'QuestionType' }));
export type QuestionType = Infer<typeof QuestionType>;

/** A move of a question: the section that it left, and the first version of the structure in which it is in another one. */
export type Move = { from: string; version: number };

/** A question as the structure stores it; its section and order follow from its position. */
export type Question = QuestionOptions & {
  id: string;
  type: QuestionType;
  required: boolean;
  title: string;
  /** A rich-text document exactly as it was sent, or null. */
  description: RichText | null;
  choices?: Choice[];
  /** Its moves from other sections since it was first answered, oldest first. Set where a structure is stored. */
  moves?: readonly Move[];
  createdAt: string;
  updatedAt: string;
};

/** The longest title of a question, in characters. */
export const MAX_QUESTION_TITLE = 500;

/** A question as it is sent on create and update. */
export const QuestionInput = schema(() =>
  z
    .object({
      required: z.boolean(),
      type: QuestionType(),
      title: line(1, MAX_QUESTION_TITLE),
      description: RichText().nullable().describe('Rich text; `null` is an empty document.'),
      order: z.int().min(1).describe('1-indexed position in the section; clamped to the end.'),
      choices: z.array(ChoiceInput()).max(MAX_CHOICES).nullish(),
      ...sentOptions(),
    })
    .meta({ id: 'QuestionInput' }),
);
export type QuestionInput = Infer<typeof QuestionInput>;

/** A question as it is returned. */
export const QuestionDocument = schema(() =>
  z
    .object({
      id: Id(),
      sectionId: Id(),
      required: z.boolean(),
      type: QuestionType(),
      title: z.string(),
      description: RichText().nullable(),
      descriptionHtml: z.string(),
      order: z.int(),
      choices: z.array(Choice()).optional(),
      ...returnedOptions(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Question' }),
);
export type QuestionDocument = Infer<typeof QuestionDocument>;
