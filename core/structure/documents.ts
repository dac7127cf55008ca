/** Presents questions and sections as the API returns them; questions with section, order and the description as HTML. */
import { renderHtml } from '#core/rich-text/html.ts';
import type { Question, QuestionDocument } from './question-model.ts';
import { requireQuestion } from './questions.ts';
import type { SectionDocument } from './section-model.ts';
import { type Section, type Structure, sectionTitle } from './structure.ts';

/**
 * Presents a question as the API returns it; `order` is its position in the section, from 1. The choices of a question with a
 * `sourceId` depend on the respondent and are empty here; the preview of a response has the offered ones.
 */
export function presentQuestion(question: Question, sectionId: string, order: number): QuestionDocument {
  const { id, required, type, title, description, createdAt, updatedAt, moves: _moves, ...options } = question;
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

/** Presents a question of a structure as the API returns it. Throws 404 when it is not in the section. */
export function presentPlacedQuestion(
  structure: Structure,
  { sectionId, questionId }: { sectionId: string; questionId: string },
): QuestionDocument {
  const { question, order } = requireQuestion(structure, sectionId, questionId);
  return presentQuestion(question, sectionId, order);
}

// Presents sections as the API returns them, with their questions.

/** Presents a section as the API returns it; without questions, `questions` is null. */
export function presentSection(structure: Structure, section: Section): SectionDocument {
  const questions = section.questions.map((question, index) => presentQuestion(question, section.id, index + 1));
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
