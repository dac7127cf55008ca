/** Saves answers of a response: all of them or none. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { changeResponse, openResponse } from '#core/responses/change.ts';
import { saveAnswers } from '#core/responses/edits.ts';
import { presentAnswers } from '#core/responses/model.ts';

export const handler = operation(responses.updateAnswers, openResponse, ({ opened, body, app }) =>
  changeResponse(app, opened, (current, now) => {
    const response = saveAnswers(current, body.answers, now);
    const questionIds = body.answers.map(({ questionId }) => questionId);
    return { next: response, body: { answers: presentAnswers(response, questionIds) } };
  }),
);
