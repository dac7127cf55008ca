/** Highlights a choice question. */

import { forms } from '#core/api/forms.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { showHighlight, withHighlight } from '#core/review/highlight.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  forms.setHighlight,
  formWithStructure,
  async ({ form, stored, body, ifMatch, app }) => {
    const highlight = { questionId: body.questionId, displayTitle: body.displayTitle ?? null };
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) =>
      withHighlight(current, highlight),
    );
    return { body: await showHighlight(app.table, structure) };
  },
);
