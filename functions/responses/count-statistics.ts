/** Has the statistics of all responses counted that match a filter and a search. */
import { responseLists } from '#core/api/response-lists.ts';
import { presentCount, requestCount } from '#core/exports/counts.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { requireFilter } from '#core/table/check-filter.ts';

export const handler = operation(
  responseLists.countStatistics,
  openStructure,
  async ({ structure, caller, body: query, app }) => {
    requireFilter(structure, query.filters);
    const count = await requestCount(app, { structure, query, userId: caller.id });
    return {
      body: presentCount(count),
      location: `/api/forms/${structure.formId}/statistics/count`,
    };
  },
);
