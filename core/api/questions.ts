/** Operations of questions. */
import * as z from 'zod';
import { Id, schema } from '#core/schema/schema.ts';
import { QuestionDocument, QuestionInput } from '#core/structure/question-model.ts';
import { declare } from './declare.ts';

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;

/** Where a question is moved. */
const MoveInput = schema(() =>
  z
    .object({
      sectionId: Id().describe('A section of the same form; it may be the section of the question.'),
      after: Id().nullable().describe('The question of that section that it is to follow; null: it comes first.'),
    })
    .meta({ id: 'MoveInput' }),
);

export const questions = declare('questions', {
  createQuestion: {
    method: 'POST',
    path: '/sections/{sectionId}/questions',
    summary: 'Create a question in a section',
    description: '`order` is clamped to the end of the section; questions at or after it move down by one.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: QuestionInput,
    ifMatch: true,
    idempotent: true,
    success: { status: 201, description: 'The question.', body: QuestionDocument, etag: true },
  },
  updateQuestion: {
    method: 'PUT',
    path: '/sections/{sectionId}/questions/{questionId}',
    summary: 'Replace a question and move it to its `order`',
    description:
      'A choice sent with its `id` keeps its identity; one without an `id` is matched by name. The result of a GET is always accepted.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: QuestionInput,
    ifMatch: true,
    success: { status: 200, description: 'The updated question.', body: QuestionDocument, etag: true },
    problems: { 400: 'The body is invalid, or the type would change although the question has been answered.' },
  },
  moveQuestion: {
    method: 'POST',
    path: '/sections/{sectionId}/questions/{questionId}/move',
    summary: 'Move a question behind another, also to another section',
    description:
      'The question follows `after`, or is the first of the section; the others keep their order. Submitted responses keep it in the section in which it was when they were submitted.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: MoveInput,
    ifMatch: true,
    idempotent: true,
    success: { status: 200, description: 'The moved question.', body: QuestionDocument, etag: true },
    problems: { 400: 'The body is invalid, the section is not of this form, or `after` is no other question of it.' },
  },
  copyQuestion: {
    method: 'POST',
    path: '/sections/{sectionId}/questions/{questionId}/copy',
    summary: 'Copy a question; the copy follows it',
    description:
      'The copy and its choices have new ids. Conditions and other questions keep referring to the original.',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    idempotent: true,
    success: { status: 201, description: 'The copy.', body: QuestionDocument, etag: true },
    problems: { 400: 'The form has the largest number of questions.' },
  },
  deleteQuestion: {
    method: 'DELETE',
    path: '/sections/{sectionId}/questions/{questionId}',
    summary: 'Delete a question; answers to it are kept',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The question is deleted; the questions after it move up by one.' },
  },
});
