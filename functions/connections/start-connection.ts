/** Sends the owner of a response to the provider that a question names. */

import { connections } from '#core/api/connections.ts';
import { operation } from '#core/http/operation.ts';
import { startConnection } from '#core/identity/connection.ts';
import { response } from '#core/responses/open.ts';

export const handler = operation(
  connections.startConnection,
  response,
  async ({ user, response, form, stored, params, query, app }) => ({
    body: undefined,
    ...(await startConnection(app, { user, response, form, stored }, params.questionId, query.r)),
  }),
);
