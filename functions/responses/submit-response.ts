/** Saves answers and submits the response; again with other answers it is an edit. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { saveInPlace, submitResponse } from '#core/responses/edit.ts';
import { response } from '#core/responses/open.ts';
import { changeResponse, requireEditable, summaryOf } from '#core/responses/service.ts';

export const handler = operation(
  responses.submitResponse,
  response,
  async ({ response, form, stored, body, ifMatch, app }) => {
    const opened = { response, form, stored };
    const submitted = await changeResponse({ app, opened, ifMatch }, (current, now) => {
      const { structure } = current.stored;
      const saving = { response: current.response, structure, inputs: body.answers, filesMayBeNamed: true, now };
      const saved = saveInPlace(saving, () => requireEditable(current));
      return saved.progress === 'SUBMITTED' ? saved : submitResponse(saved, structure, now);
    });
    return { body: summaryOf(submitted), etag: submitted.version };
  },
);
