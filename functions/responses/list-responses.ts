/** Lists the responses to a form: all of them for members, their own for others. */
import { responseLists } from '#core/api/response-lists.ts';
import { listAllResponses, listOwnResponses, openListedResponses } from '#core/counts/lists.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(
  responseLists.listResponses,
  openListedResponses,
  ({ gate, listed, caller, query, after, app }) => {
    const request = { limit: query.limit, after, progress: query.progress };
    return listed ? listAllResponses(app, gate.formId, listed) : listOwnResponses(app, gate.formId, caller.id, request);
  },
);
