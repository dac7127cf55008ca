/** Makes a submitted response a draft again. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { changeResponse, openResponse, presentResponseSummary } from '#core/responses/change.ts';
import { cancel } from '#core/responses/edits.ts';

export const handler = operation(responses.cancelResponse, openResponse, ({ opened, app }) =>
  changeResponse(app, opened, (current, now) => {
    const response = cancel(current.response, now);
    return { next: response, body: presentResponseSummary(response) };
  }),
);
