/** Returns a response along its path, for its owner and the members of the form's organization. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { openResponse } from '#core/responses/change.ts';
import { presentResponse } from '#core/responses/preview.ts';

export const handler = operation(responses.getResponse, openResponse, async ({ opened, caller, roles, app }) => ({
  body: await presentResponse(app.table, opened, { caller, roles }),
  etag: opened.response.version,
}));
