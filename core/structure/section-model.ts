/** Sections: the schemas of requests and responses. */
import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { QuestionDocument } from './question-model.ts';
import { MAX_LABEL_CHARACTERS } from './workflow-model.ts';

export const SectionPatch = schema(() =>
  z
    .object({ title: line(0, MAX_LABEL_CHARACTERS).optional(), description: RichText().nullish() })
    .describe('An absent member is unchanged; a null description clears it.')
    .meta({ id: 'SectionPatch' }),
);

/** A section as it is returned. */
export const SectionDocument = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      title: z.string(),
      progress: z.string().describe('Always empty; the preview of a response has the progress of each section.'),
      description: RichText().nullable(),
      descriptionHtml: z.string(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      questions: z.array(QuestionDocument()).nullable().describe('In order; null when the section has none.'),
    })
    .meta({ id: 'Section' }),
);
export type SectionDocument = Infer<typeof SectionDocument>;
