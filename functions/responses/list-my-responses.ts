/** Lists the current user's own responses to a form. */

import { responses } from '#core/api/responses.ts';
import { form } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { listOwnResponses } from '#core/responses/lists.ts';

export const handler = operation(responses.listMyResponses, form, async ({ form, user, query, app }) => ({
  body: await listOwnResponses(app, form.id, user.id, query),
}));
