/** Lists the responses to a form: all of them for members, their own for others. */
import { responses } from '#core/api/responses.ts';
import { openGate } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { listAllResponses, listOwnResponses } from '#core/responses/lists.ts';

export const handler = operation(responses.listResponses, openGate, ({ gate, editor, caller, query, after, app }) => {
  const range = { limit: query.limit, after, progress: query.progress };
  return editor ? listAllResponses(app, gate.formId, range) : listOwnResponses(app, gate.formId, caller.id, range);
});
