/**
 * How a section is shown (interface "Section"): the shape on the wire, and the function that makes it from a
 * form's structure. Its questions are shown by `core/questions/view.ts`; edits stand in `edits.ts`.
 */
import * as z from 'zod';
import { QuestionView } from '#core/questions/model.ts';
import { showQuestion } from '#core/questions/view.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { RichText } from '#core/rich-text/model.ts';
import { Id, type Infer, schema, Timestamp } from '#core/schema/model.ts';
import { type Section, type Structure, sectionTitle } from '#core/structure/model.ts';

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

/** A section of a form in the shape of the wire, with its questions; an empty section has `questions: null`. */
export function showSection(structure: Structure, section: Section): SectionView {
  const questions = section.questions.map((question, index) => showQuestion(question, section.id, index + 1));
  return {
    id: section.id,
    formId: structure.formId,
    title: sectionTitle(structure, section.id),
    progress: '',
    description: section.description,
    descriptionHtml: renderHtml(section.description),
    createdAt: section.createdAt,
    updatedAt: section.updatedAt,
    questions: questions.length > 0 ? questions : null,
  };
}
