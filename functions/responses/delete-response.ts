/** Deletes a response and all that belongs to it. */

import { responses } from '#core/api/responses.ts';
import { keys } from '#core/db/keys.ts';
import { operation } from '#core/http/operation.ts';
import { response } from '#core/responses/open.ts';

export const handler = operation(responses.deleteResponse, response, async ({ response, app }) => {
  await app.table.write([{ remove: keys.response(response.id) }]);
  return { body: undefined };
});
