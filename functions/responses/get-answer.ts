/** Returns the answer to one question of a response. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';
import { openResponse } from '#core/responses/change.ts';
import { presentAnswers } from '#core/responses/model.ts';

export const handler = operation(responses.getAnswer, openResponse, async ({ opened: { response }, params }) => {
  const [answer] = presentAnswers(response, [params.questionId]);
  if (!answer) throw problems.notFound();
  return { body: { id: params.questionId, answer }, etag: response.version };
});
