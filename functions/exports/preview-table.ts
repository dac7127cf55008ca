/** Returns a page of submitted responses as a table. */
import { exportOperations } from '#core/api/exports.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { pageResponses } from '#core/responses/store.ts';
import { columnsOf, previewRow } from '#core/review/table.ts';
import { fitPage } from '#core/schema/page-size.ts';

export const handler = operation(
  exportOperations.previewTable,
  openStructure,
  async ({ structure, body, query, after, app }) => {
    const columns = columnsOf(structure, body.questionIds);
    const page = await pageResponses(app.table, structure.formId, ['SUBMITTED'], { limit: query.limit, after });
    const items = page.responses.map((response) => previewRow(response, structure, columns));
    const { items: rows, last } = fitPage({ ...page, items });
    return { body: { headers: columns.map(({ id, title }) => ({ id, title })), rows }, next: last };
  },
);
