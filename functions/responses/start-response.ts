/** Starts a response to an open form. */

import { responses } from '#core/api/responses.ts';
import { form } from '#core/forms/open.ts';
import { requireOpen } from '#core/forms/status.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { newResponse } from '#core/responses/edit.ts';
import { createResponse } from '#core/responses/store.ts';

export const handler = operation(responses.startResponse, form, async ({ form, user, app }) => {
  const now = app.now();
  requireOpen(form, now);
  const response = newResponse(newIdWithin(app, form.id), form.id, user.id, now.toISOString());
  await app.table.write([createResponse(response)]);
  return { body: { id: response.id } };
});
