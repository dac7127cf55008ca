/** Deletes a response and all that belongs to it. */
import { responses } from '#core/api/responses.ts';
import { deleteResponse } from '#core/deletion/response.ts';
import { operation } from '#core/http/operation.ts';
import { responseToDelete } from '#core/responses/open.ts';

export const handler = operation(responses.deleteResponse, responseToDelete, async ({ response, ifMatch, app }) => {
  await deleteResponse(app, response, ifMatch);
  return { body: undefined };
});
