/** Changes the title under which the highlighted question is shown. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { presentHighlight, withHighlightTitle } from '#core/table/highlight.ts';

export const handler = operation(
  forms.updateHighlight,
  withCounters(openStructureEdit),
  async ({ stored, counters, body, app }) => {
    const edited = await editStructure(app, stored, (current) => {
      const structure = withHighlightTitle(current, body.displayTitle);
      return { next: structure, body: structure };
    });
    return { body: await presentHighlight(app, edited.body, counters) };
  },
);
