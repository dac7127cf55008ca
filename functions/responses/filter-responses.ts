/** Returns the submitted responses whose answers match a filter and whose respondents match a search, in the order asked for. */
import { responseLists } from '#core/api/response-lists.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { fitBatch } from '#core/schema/page-size.ts';
import { requireFilter, requireQuestions } from '#core/table/check-filter.ts';
import { listResponses } from '#core/table/list.ts';
import { listColumns, presentRow } from '#core/table/table.ts';

export const handler = operation(
  responseLists.filterResponses,
  openStructure,
  async ({ structure, body, query, after, app }) => {
    const sortedBy = body.sort?.questionId;
    requireFilter(structure, body.filters);
    if (sortedBy !== undefined) requireQuestions(structure, [sortedBy]);
    const batch = await listResponses(app, structure, body, { limit: query.limit, after });
    const columns = listColumns(structure);
    const items = batch.responses.map((response) => presentRow(response, structure, columns));
    const { items: rows, last } = fitBatch({ ...batch, items });
    return { body: { formId: structure.formId, responses: rows }, next: last };
  },
);
