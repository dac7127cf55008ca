/** Deletes a response and all that belongs to it. */
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { response } from '#core/responses/open.ts';
import { deleteResponse } from '#core/responses/service.ts';

export const handler = operation(responses.deleteResponse, response, async ({ response, ifMatch, app }) => {
  await deleteResponse(app.table, response, ifMatch);
  return { body: undefined };
});
