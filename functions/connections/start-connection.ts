/** Redirects the owner of a response to the provider of a question. */
import { connections } from '#core/api/connections.ts';
import { operation } from '#core/http/operation.ts';
import { startConnection } from '#core/identity/connection.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = operation(
  connections.startConnection,
  openResponse,
  async ({ app, caller, opened, params, query }) => ({
    body: undefined,
    ...(await startConnection(app, { caller, opened }, params.questionId, query.r)),
  }),
);
