/** Lists the responses to a form: all of them for members, their own for others. */

import { responses } from '#core/api/responses.ts';
import { form } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { listAllResponses, listOwnResponses } from '#core/responses/lists.ts';

export const handler = operation(responses.listResponses, form, async ({ form, editor, user, query, app }) => ({
  body: editor ? await listAllResponses(app, form.id, query) : await listOwnResponses(app, form.id, user.id, query),
}));
