/** Returns the statistics of the responses whose answers match a filter and whose respondents match a search. */
import { responseLists } from '#core/api/response-lists.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireFilter } from '#core/table/check-filter.ts';
import { loadStatistics, presentStatistics } from '#core/table/statistics-data.ts';

export const handler = operation(
  responseLists.queryStatistics,
  withCounters(openStructure),
  async ({ structure, counters, body: query, app }) => {
    requireFilter(structure, query.filters);
    return { body: presentStatistics(await loadStatistics(app, structure, { ...query, counters })) };
  },
);
