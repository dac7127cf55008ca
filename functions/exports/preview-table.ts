/** A page of submitted responses as a table. */

import { exportOperations } from '#core/api/exports.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { fitPage } from '#core/http/fit.ts';
import { operation } from '#core/http/operation.ts';
import { pageResponses } from '#core/responses/store.ts';
import { columnsOf, previewRow } from '#core/review/table.ts';

export const handler = operation(
  exportOperations.previewTable,
  formWithStructure,
  async ({ form, stored, body, query, app }) => {
    const columns = columnsOf(stored.structure, body.questionIds);
    const list = `table ${form.id}`;
    const range = { limit: query.limit, after: app.cursors.open(list, query.cursor) };
    const page = await pageResponses(app.table, form.id, ['SUBMITTED'], range);
    const items = page.responses.map((response) => previewRow(response, stored.structure, columns));
    const { items: rows, last } = fitPage({ ...page, items });
    return {
      body: {
        headers: columns.map(({ id, title }) => ({ id, title })),
        rows,
        nextCursor: app.cursors.seal(list, last),
      },
    };
  },
);
