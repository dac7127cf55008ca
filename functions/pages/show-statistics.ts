/** Shows how often each answer was given, when, and where respondents stopped, to the members of the organization. */
import { reviewPages } from '#core/api/review-pages.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { parseListAddress } from '#core/pages/review/list-address.ts';
import { renderStatisticsPage } from '#core/pages/review/statistics.ts';
import { loadStatisticsPage } from '#core/pages/review/statistics-data.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  reviewPages.showStatistics,
  withCounters(openStructure),
  async ({ app, gate, structure, counters, query, context }) => {
    const address = { ...parseListAddress(gate.formId, query), part: 'statistics' as const };
    const [head, data] = await Promise.all([
      loadGateHead(app, gate),
      loadStatisticsPage(app, { structure, counters, address, from: query.get('from') ?? '' }),
    ]);
    return { html: renderStatisticsPage(context, head, data) };
  },
);
