/** A section on the wire: as it is changed and as it is shown (interface "Section", contract section 5). */
import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { Id, type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';
import { QuestionView } from '#core/structure/question-model.ts';

export const SectionPatch = schema(() =>
  z
    .object({ title: text(0, 200).optional(), description: RichText().nullish() })
    .describe('A member that is absent is unchanged; a null description is an empty one.')
    .meta({ id: 'SectionPatch' }),
);

/** A section as it is shown. */
export const SectionView = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      title: z.string(),
      progress: z.string().describe('Empty: the progress of a section belongs to a response (see its preview).'),
      description: RichText().nullable(),
      descriptionHtml: z.string(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      questions: z.array(QuestionView()).nullable().describe('In order; null when the section has none.'),
    })
    .meta({ id: 'Section' }),
);
export type SectionView = Infer<typeof SectionView>;
