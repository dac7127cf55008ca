/** Returns the highlighted question with the count of each choice. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentHighlight } from '#core/table/counted-highlight.ts';
import { withHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.getHighlight,
  withHighlight(withCounters(openStructure)),
  async ({ structure, highlight, counters, app }) => ({
    body: await presentHighlight(app, { structure, highlight }, counters),
  }),
);
