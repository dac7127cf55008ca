/** Operations of questions. */
import { QuestionInput, QuestionView } from '#core/structure/question-model.ts';
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
    description: '`order` is clamped to the end; questions at or behind it move down by one.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: QuestionInput,
    ifMatch: true,
    idempotent: true,
    success: { status: 201, description: 'The question.', body: QuestionView, etag: true },
    example: { body: question },
  },
  updateQuestion: {
    method: 'PUT',
    path: '/sections/{sectionId}/questions/{questionId}',
    summary: 'Replace a question, and move it when its order differs',
    description: 'A choice that is sent with its `id` keeps its identity; without one it is found by name.',
    access: editors,
    needs: ['table:read', 'table:write'],
    body: QuestionInput,
    ifMatch: true,
    success: { status: 200, description: 'The question as it is now.', body: QuestionView, etag: true },
    problems: { 400: 'The body is not as described, or the type would change although responses answer the question.' },
    example: { body: question },
  },
  deleteQuestion: {
    method: 'DELETE',
    path: '/sections/{sectionId}/questions/{questionId}',
    summary: 'Delete a question; answers to it are kept',
    access: editors,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The question is gone; those behind it move up by one.' },
  },
});
