/** Returns the highlighted question with the count of each choice. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.getHighlight,
  withCounters(openStructure),
  async ({ structure, counters, app }) => ({ body: await presentHighlight(app, structure, counters) }),
);
