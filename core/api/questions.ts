/** Operations of questions. */
import { QuestionDocument, QuestionInput } from '#core/structure/question-model.ts';
import { declare } from './declare.ts';

const editors = { credential: 'user', target: 'form', roles: ['member'] } as const;

const question = {
  required: true,
  type: 'SINGLE_CHOICE',
  title: 'How did you hear of us?',
  description: null,
  order: 1,
  choices: [{ name: 'From a friend' }, { name: 'Something else', isOther: true }],
};

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
    example: { body: question },
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
    example: { body: question },
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
