/** Highlights a choice question. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { presentHighlight, withHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.setHighlight,
  withCounters(openStructureEdit),
  async ({ stored, counters, body, app }) => {
    const highlight = { questionId: body.questionId, displayTitle: body.displayTitle ?? null };
    const edited = await editStructure(app, stored, (current) => {
      const structure = withHighlight(current, highlight);
      return { next: structure, body: structure };
    });
    return { body: await presentHighlight(app, edited.body, counters) };
  },
);
