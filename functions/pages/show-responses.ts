/** Shows the table of submitted responses to the members of the form's organization. */
import { reviewPages } from '#core/api/pages.ts';
import { listAddressOf } from '#core/pages/review/list-address.ts';
import { tablePage } from '#core/pages/review/table.ts';
import { tablePageOf } from '#core/pages/review/table-data.ts';
import { page } from '#core/pages/shell/page.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showResponses,
  openViews,
  async ({ app, gate, structure, views, query, context }) => {
    const address = listAddressOf(gate.formId, query);
    const wasDeleted = query.get('done') === 'deleted';
    return {
      html: tablePage(context, { ...(await tablePageOf(app, { gate, structure, views, address })), wasDeleted }),
    };
  },
);
