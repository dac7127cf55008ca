/** Stops highlighting a question. */

import { forms } from '#core/api/forms.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { withoutHighlight } from '#core/review/highlight.ts';
import { editStructure } from '#core/structure/service.ts';

export const handler = operation(forms.deleteHighlight, formWithStructure, async ({ form, stored, ifMatch, app }) => {
  await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, withoutHighlight);
  return { body: undefined };
});
