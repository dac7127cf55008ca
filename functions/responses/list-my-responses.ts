/** Lists the caller's own responses to a form. */
import { responseLists } from '#core/api/response-lists.ts';
import { listOwnResponses } from '#core/counts/lists.ts';
import { openGateToRespond } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(
  responseLists.listMyResponses,
  openGateToRespond,
  ({ gate, caller, query, after, app }) => listOwnResponses(app, gate.formId, caller.id, { limit: query.limit, after }),
);
