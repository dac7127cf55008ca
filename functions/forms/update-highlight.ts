/** Changes the title under which the highlighted question is shown. */

import { forms } from '#core/api/forms.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';
import { showHighlight } from '#core/review/highlight.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(
  forms.updateHighlight,
  formWithStructure,
  async ({ form, stored, body, ifMatch, app }) => {
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) => {
      if (!current.highlight) throw problems.notFound();
      if (body.displayTitle === undefined) return current;
      return { ...current, highlight: { ...current.highlight, displayTitle: body.displayTitle } };
    });
    return { body: await showHighlight(app.table, structure) };
  },
);
