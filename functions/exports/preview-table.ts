/** Returns a page of submitted responses as a table. */
import { exportOperations } from '#core/api/exports.ts';
import { operation } from '#core/http/operation.ts';
import { loadPage } from '#core/responses/store.ts';
import { fitPage } from '#core/schema/page-size.ts';
import { columnsOf, openTable, previewRow } from '#core/table/table.ts';

export const handler = operation(exportOperations.previewTable, openTable, async ({ structure, listed, body, app }) => {
  const columns = columnsOf(structure, body.questionIds);
  const page = await loadPage(app.table, structure.formId, ['SUBMITTED'], listed);
  const items = page.responses.map((response) => previewRow(response, structure, columns));
  const { items: rows, last } = fitPage({ ...page, items });
  return { body: { headers: columns.map(({ id, title }) => ({ id, title })), rows }, next: last };
});
