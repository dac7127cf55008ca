/** Operations of responses and their answers. */
import * as z from 'zod';
import {
  AnswersInput,
  ResponsePreview,
  ResponseSummary,
  SavedAnswers,
  StartInput,
  StoredAnswer,
} from '#core/responses/model.ts';
import { Id, schema } from '#core/schema/schema.ts';
import { declare } from './declare.ts';

const StartedResponse = schema(() =>
  z
    .union([ResponseSummary(), z.object({ id: Id() })])
    .describe('The id of the new draft; with `submit` the summary of the submitted response.')
    .meta({ id: 'StartedResponse' }),
);
const AnswerByQuestion = schema(() => z.object({ id: Id(), answer: StoredAnswer() }).meta({ id: 'AnswerByQuestion' }));

const owner = { credential: 'user', guests: true, target: 'response', roles: ['owner'] } as const;
const readers = { credential: 'user', guests: true, target: 'response' } as const;
const notOpen =
  'The body is invalid, an answer is not valid for its question or is off the path, or the form is not open.';

const noPlace =
  'The `Idempotency-Key` was used with another request, `If-Match` does not match, or a choice or the form has no place left (`no_place_left`): `errors` points to `/answers/<questionId>` or `/form`.';

export const responses = declare('responses', {
  startResponse: {
    method: 'POST',
    path: '/forms/{formId}/responses',
    summary: 'Start a response to an open form',
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list', 'table:write'],
    body: StartInput,
    bodyOptional: true,
    idempotent: true,
    success: { status: 201, description: 'The new response.', body: StartedResponse, etag: true },
    otherSuccess: {
      status: 200,
      description: 'The response that the caller has, where `oncePerPerson` allows no other.',
      body: StartedResponse,
      etag: true,
    },
    problems: {
      400: 'The form is not open (`detail` gives the reason), an answer is invalid, the submission is incomplete, or the caller has 100 responses to the form, as a guest 3.',
      403: 'The caller is a guest, and the form takes new responses only from people with an account; or it takes them only from guests with an invitation, or with a confirmed address (`invitation_needed`).',
      409: 'The `Idempotency-Key` was used with another request, the caller is a guest who has a draft, or answers were sent for a second response where `oncePerPerson` allows one.',
    },
  },
  getResponse: {
    method: 'GET',
    path: '/forms/{formId}/responses/{responseId}',
    summary: 'Preview a response along its path',
    access: readers,
    needs: ['table:read'],
    success: {
      status: 200,
      description: 'The sections with their questions and answers.',
      body: ResponsePreview,
      etag: true,
    },
  },
  deleteResponse: {
    method: 'DELETE',
    path: '/forms/{formId}/responses/{responseId}',
    summary: 'Delete a response with everything that belongs to it',
    access: { credential: 'user', guests: true, target: 'response', roles: ['admin', 'creator', 'owner'] },
    needs: ['table:read', 'table:write', 'table:remove'],
    ifMatch: true,
    success: { status: 204, description: 'The response is deleted.' },
    problems: {
      403: 'The caller is neither an admin nor the member who created the form, nor the owner of a draft.',
    },
  },
  updateAnswers: {
    method: 'PATCH',
    path: '/responses/{responseId}/answers',
    summary: 'Save answers: all of them or none',
    access: owner,
    needs: ['table:read', 'table:write'],
    body: AnswersInput,
    ifMatch: true,
    success: { status: 200, description: 'The saved answers.', body: SavedAnswers, etag: true },
    problems: {
      400: notOpen,
      403: 'The caller does not own the response, or it is submitted and the form does not allow editing.',
      409: noPlace,
    },
  },
  getAnswer: {
    method: 'GET',
    path: '/responses/{responseId}/questions/{questionId}',
    summary: 'Get the answer to one question',
    access: readers,
    needs: ['table:read'],
    success: { status: 200, description: 'The answer.', body: AnswerByQuestion, etag: true },
    problems: { 404: 'There is no such response or question, or the question is not answered.' },
  },
  clearAnswer: {
    method: 'DELETE',
    path: '/responses/{responseId}/questions/{questionId}',
    summary: 'Clear the answer to one question',
    access: owner,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 204, description: 'The question is no longer answered.' },
    problems: { 400: 'The form is not open, or a submitted response would become incomplete.' },
  },
  submitResponse: {
    method: 'POST',
    path: '/responses/{responseId}/submit',
    summary: 'Save answers and submit the response',
    access: owner,
    needs: ['table:read', 'table:write'],
    body: AnswersInput,
    idempotent: true,
    ifMatch: true,
    success: { status: 201, description: 'The submitted response.', body: ResponseSummary, etag: true },
    problems: {
      400: 'As for saving, or the response is incomplete: `errors` has one item per question, with the pointer `/answers/<questionId>`.',
      403: 'The caller does not own the response, or it is submitted and the form does not allow editing.',
      409: noPlace,
    },
  },
  cancelResponse: {
    method: 'POST',
    path: '/responses/{responseId}/cancel',
    summary: 'Make a submitted response a draft again',
    access: owner,
    needs: ['table:read', 'table:write'],
    ifMatch: true,
    success: { status: 200, description: 'The response, now a draft.', body: ResponseSummary, etag: true },
    problems: { 400: 'The response is a draft, or the form is not open.' },
  },
});
