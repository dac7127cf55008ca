/** Highlights a choice question. */
import { forms } from '#core/api/forms.ts';
import { withCounters } from '#core/counts/counters.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentHighlight } from '#core/table/counted-highlight.ts';
import { chooseHighlight, editHighlight, withHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.setHighlight,
  withHighlight(withCounters(openStructure)),
  async ({ structure, highlight, counters, body, app }) => {
    const chosen = { questionId: body.questionId, displayTitle: body.displayTitle ?? null };
    const edited = await editHighlight(app, { structure, highlight }, (current) => chooseHighlight(current, chosen));
    return { body: await presentHighlight(app, edited, counters) };
  },
);
