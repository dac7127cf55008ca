/**
 * How a section is shown, from a form's structure. Its shape on the wire stands in `section-model.ts`, its questions
 * are shown by `core/questions/view.ts`; edits stand in `edits.ts`.
 */

import { renderHtml } from '#core/rich-text/html.ts';
import { showQuestion } from '#core/structure/question-view.ts';
import { type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { SectionView } from './section-model.ts';

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
