/** Takes a submitted response back to draft. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { cancelResponse } from '#core/responses/edit.ts';
import { response } from '#core/responses/open.ts';
import { changeResponse, summaryOf } from '#core/responses/service.ts';

export const handler = operation(
  responses.cancelResponse,
  response,
  async ({ response, form, stored, ifMatch, app }) => {
    const cancelled = await changeResponse({ app, opened: { response, form, stored }, ifMatch }, (current, now) =>
      cancelResponse(current.response, now),
    );
    return { body: summaryOf(cancelled), etag: cancelled.version };
  },
);
