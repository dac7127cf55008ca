/** Sections as they are returned, with their questions. */
import { renderHtml } from '#core/rich-text/html.ts';
import { showQuestion } from '#core/structure/question-view.ts';
import { type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { SectionView } from './section-model.ts';

/** A section as the API returns it; without questions, `questions` is null. */
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
