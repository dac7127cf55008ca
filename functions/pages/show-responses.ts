/** Shows the table of submitted responses to the members of the form's organization. */
import { reviewPages } from '#core/api/review-pages.ts';
import { withCounters } from '#core/counts/counters.ts';
import { parseListAddress } from '#core/pages/review/list-address.ts';
import { renderTablePage } from '#core/pages/review/table.ts';
import { loadTablePage } from '#core/pages/review/table-data.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { withHighlight } from '#core/table/highlight.ts';
import { openViews } from '#core/views/views.ts';

export const handler = page(
  reviewPages.showResponses,
  withHighlight(withCounters(openViews)),
  async ({ app, gate, structure, views, highlight, counters, query, context }) => {
    const address = parseListAddress(gate.formId, query);
    const wasDeleted = query.get('done') === 'deleted';
    const [head, data] = await Promise.all([
      loadGateHead(app, gate),
      loadTablePage(app, { gate, structure, views, highlight, counters, address }),
    ]);
    return { html: renderTablePage(context, head, { ...data, wasDeleted }) };
  },
);
