/** Returns a batch of submitted responses, all or those that match a filter, as a table. */
import { exportOperations } from '#core/api/exports.ts';
import { operation } from '#core/http/operation.ts';
import { loadResponseBatch } from '#core/responses/store.ts';
import { fitBatch } from '#core/schema/page-size.ts';
import { requireFilter } from '#core/table/check-filter.ts';
import { listMatchingResponses } from '#core/table/list.ts';
import { isUnfiltered } from '#core/table/matches.ts';
import { openTable, presentRow, requireColumns } from '#core/table/table.ts';

export const handler = operation(
  exportOperations.previewTable,
  openTable,
  async ({ structure, listed, body, query, after, app }) => {
    const { filters = [], questionIds, ...range } = body;
    const columns = requireColumns(structure, questionIds);
    requireFilter(structure, filters);
    const matching = { filters, ...range };
    const batch = isUnfiltered(matching)
      ? await loadResponseBatch(app.table, structure.formId, ['SUBMITTED'], listed)
      : await listMatchingResponses(app, structure, matching, { limit: query.limit, after });
    const items = batch.responses.map((response) => presentRow(response, structure, columns));
    const { items: rows, last } = fitBatch({ ...batch, items });
    return { body: { headers: columns.map(({ id, title }) => ({ id, title })), rows }, next: last };
  },
);
