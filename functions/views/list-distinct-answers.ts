/** Lists the distinct answers to a question, by which a view can be filtered. */
import { views as declared } from '#core/api/views.ts';
import { withCounters } from '#core/counts/counters.ts';
import { operation } from '#core/http/operation.ts';
import { requireFilter } from '#core/table/check-filter.ts';
import { findDistinctAnswers } from '#core/table/query.ts';
import { openViews } from '#core/views/views.ts';

export const handler = operation(
  declared.listDistinctAnswers,
  withCounters(openViews),
  async ({ structure, counters, params: { viewId, questionId }, body: query, after, app }) => {
    requireFilter(structure, query.filters);
    const { answers, last } = await findDistinctAnswers(app, structure, { questionId, query, after, counters });
    return { body: { viewId, formId: structure.formId, questionId, answers, truncated: last !== null }, next: last };
  },
);
