/** Returns how often each answer was given, when, and where respondents stopped. */
import { responseLists } from '#core/api/response-lists.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { loadStatistics, presentStatistics } from '#core/table/statistics-data.ts';

export const handler = operation(
  responseLists.getStatistics,
  withCounters(openStructure),
  async ({ structure, counters, query: { timeZone }, app }) => ({
    body: presentStatistics(await loadStatistics(app, structure, { filters: [], counters, timeZone })),
  }),
);
