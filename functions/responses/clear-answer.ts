/** Clears the answer to one question of a response. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { clearAnswer } from '#core/responses/edits.ts';

export const handler = operation(responses.clearAnswer, openResponse, ({ opened, params, app }) =>
  changeResponse(app, opened, (current, now) => ({
    next: clearAnswer(current, params.questionId, now),
    body: undefined,
  })),
);
