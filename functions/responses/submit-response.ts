/** Saves answers and submits the response; other answers edit a submitted response. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { submitAnswers } from '#core/responses/changes.ts';
import { openResponse } from '#core/responses/open.ts';
import { changeResponse, summaryOf } from '#core/responses/service.ts';

export const handler = operation(responses.submitResponse, openResponse, ({ opened, body, app }) =>
  changeResponse(app, opened, (current, now) => submitAnswers(current, body.answers, now), summaryOf),
);
