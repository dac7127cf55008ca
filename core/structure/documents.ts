/** Questions as they are returned: with their section and order, and the description as HTML. */
import { renderHtml } from '#core/rich-text/html.ts';
import type { Question, QuestionView } from './question-model.ts';
import { requireQuestion } from './questions.ts';
import type { SectionView } from './section-model.ts';
import { type Section, type Structure, sectionTitle } from './structure.ts';

/**
 * A question as the API returns it; `order` is its position in the section, from 1. The choices of a question with a
 * `sourceId` depend on the respondent and are empty here; the preview of a response has the offered ones.
 */
export function showQuestion(question: Question, sectionId: string, order: number): QuestionView {
  const { id, required, type, title, description, createdAt, updatedAt, ...options } = question;
  return {
    id,
    sectionId,
    required,
    type,
    title,
    description,
    descriptionHtml: renderHtml(description),
    order,
    ...(options.sourceId !== undefined && { choices: [] }),
    ...options,
    createdAt,
    updatedAt,
  };
}

/** A question of a structure as the API returns it. Throws 404 when it is not in the section. */
export function showPlacedQuestion(
  structure: Structure,
  { sectionId, questionId }: { sectionId: string; questionId: string },
): QuestionView {
  const { question, order } = requireQuestion(structure, sectionId, questionId);
  return showQuestion(question, sectionId, order);
}

// Sections as they are returned, with their questions.

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
