/** Saves answers and submits the response; other answers edit a submitted response. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { changeResponse, openResponse, presentResponseSummary } from '#core/responses/change.ts';
import { submitAnswers } from '#core/responses/edits.ts';

export const handler = operation(responses.submitResponse, openResponse, ({ opened, body, app }) =>
  changeResponse(app, opened, (current, now) => {
    const response = submitAnswers(current, body.answers, now);
    return { next: response, body: presentResponseSummary(response) };
  }),
);
