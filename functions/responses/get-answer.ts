/** The answer to one question of a response. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';
import { answersBy } from '#core/responses/edit.ts';
import { storedAnswer } from '#core/responses/model.ts';
import { response } from '#core/responses/open.ts';

export const handler = operation(responses.getAnswer, response, async ({ response, params }) => {
  const answer = answersBy(response.answers)(params.questionId);
  if (!answer) throw problems.notFound();
  const body = { id: params.questionId, answer: storedAnswer(response.id, params.questionId, answer) };
  return { body, etag: response.version };
});
