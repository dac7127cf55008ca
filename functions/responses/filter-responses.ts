/** Returns the submitted responses whose answers match a filter. */
import { responses } from '#core/api/responses.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { fitBatch } from '#core/schema/page-size.ts';
import { listMatchingResponses, requireQuestions } from '#core/table/query.ts';
import { listColumns, presentRow } from '#core/table/table.ts';

export const handler = operation(
  responses.filterResponses,
  openStructure,
  async ({ structure, body: { filters }, query, after, app }) => {
    requireQuestions(
      structure,
      filters.map((filter) => filter.questionId),
    );
    const batch = await listMatchingResponses(app, structure, filters, { limit: query.limit, after });
    const columns = listColumns(structure);
    const items = batch.responses.map((response) => presentRow(response, structure, columns));
    const { items: rows, last } = fitBatch({ ...batch, items });
    return { body: { formId: structure.formId, responses: rows }, next: last };
  },
);
