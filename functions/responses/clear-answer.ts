/** Clears the answer to one question of a response. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { clearInPlace } from '#core/responses/edit.ts';
import { response } from '#core/responses/open.ts';
import { changeResponse, requireEditable } from '#core/responses/service.ts';

export const handler = operation(
  responses.clearAnswer,
  response,
  async ({ response, form, stored, params, ifMatch, app }) => {
    await changeResponse({ app, opened: { response, form, stored }, ifMatch }, (current, now) =>
      clearInPlace(current.response, current.stored.structure, params.questionId, now, () => requireEditable(current)),
    );
    return { body: undefined };
  },
);
