/** Changes the title under which the highlighted question is shown. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentHighlight } from '#core/table/counted-highlight.ts';
import { editHighlight, requireHighlight, withHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.updateHighlight,
  withHighlight(withCounters(openStructure)),
  async ({ structure, highlight, counters, body: { displayTitle }, app }) => {
    const edited = await editHighlight(app, { structure, highlight }, (current) => {
      const existing = requireHighlight(current);
      return displayTitle === undefined ? existing : { ...existing, displayTitle };
    });
    return { body: await presentHighlight(app, edited, counters) };
  },
);
