/** Saves answers of a response, all of them or none. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { saveInPlace } from '#core/responses/edit.ts';
import { storedAnswer } from '#core/responses/model.ts';
import { response } from '#core/responses/open.ts';
import { changeResponse, requireEditable } from '#core/responses/service.ts';

export const handler = operation(
  responses.updateAnswers,
  response,
  async ({ response, form, stored, body, ifMatch, app }) => {
    const opened = { response, form, stored };
    const saved = await changeResponse({ app, opened, ifMatch }, (current, now) =>
      saveInPlace(
        { ...current, structure: current.stored.structure, inputs: body.answers, filesMayBeNamed: false, now },
        () => requireEditable(current),
      ),
    );
    const answers = body.answers.flatMap(({ questionId }) => {
      const answer = saved.answers[questionId];
      return answer ? [storedAnswer(saved.id, questionId, answer)] : [];
    });
    return { body: { answers }, etag: saved.version };
  },
);
