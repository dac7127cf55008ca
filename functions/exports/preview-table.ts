/** Returns a batch of submitted responses as a table. */
import { exportOperations } from '#core/api/exports.ts';
import { operation } from '#core/http/operation.ts';
import { loadResponseBatch } from '#core/responses/store.ts';
import { fitBatch } from '#core/schema/page-size.ts';
import { openTable, presentRow, requireColumns } from '#core/table/table.ts';

export const handler = operation(exportOperations.previewTable, openTable, async ({ structure, listed, body, app }) => {
  const columns = requireColumns(structure, body.questionIds);
  const batch = await loadResponseBatch(app.table, structure.formId, ['SUBMITTED'], listed);
  const items = batch.responses.map((response) => presentRow(response, structure, columns));
  const { items: rows, last } = fitBatch({ ...batch, items });
  return { body: { headers: columns.map(({ id, title }) => ({ id, title })), rows }, next: last };
});
