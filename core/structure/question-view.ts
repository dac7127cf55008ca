/**
 * How a question is shown: as the structure keeps it, with its place and its description as HTML (interface
 * "Question"). The shape is `QuestionView` in `model.ts`; sections are shown in `core/structure/view.ts`.
 */

import { renderHtml } from '#core/rich-text/html.ts';
import type { Question, QuestionView } from '#core/structure/question-model.ts';

/**
 * A question in the shape of the wire; `order` is its place in the section, from 1. A question with a source shows
 * its `sourceId` and no choices: those differ by respondent.
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
    ...options,
    createdAt,
    updatedAt,
  };
}
