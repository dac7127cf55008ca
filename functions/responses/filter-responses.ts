/** Submitted responses whose answers match a filter. */
import { responses } from '#core/api/responses.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { fitPage } from '#core/http/fit.ts';
import { operation } from '#core/http/operation.ts';
import { pageMatching, requireQuestions } from '#core/review/query.ts';
import { allColumns, previewRow } from '#core/review/table.ts';

export const handler = operation(
  responses.filterResponses,
  formWithStructure,
  async ({ form, stored, body, query, app }) => {
    const { structure } = stored;
    requireQuestions(
      structure,
      body.filters.map((filter) => filter.questionId),
    );
    const list = `filter ${form.id} ${JSON.stringify(body.filters)}`;
    const range = { limit: query.limit, after: app.cursors.open(list, query.cursor) };
    const page = await pageMatching(app, structure, body.filters, range);
    const columns = allColumns(structure);
    const items = page.responses.map((response) => previewRow(response, structure, columns));
    const { items: responses, last } = fitPage({ ...page, items });
    return {
      body: {
        formId: form.id,
        responses,
        nextCursor: app.cursors.seal(list, last),
      },
    };
  },
);
