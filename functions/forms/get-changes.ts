/** Returns the changes of a published form that are not live yet. */
import { forms } from '#core/api/forms.ts';
import { openEditedForm } from '#core/forms/edited.ts';
import { operation } from '#core/http/operation.ts';
import { loadBaseIfOutdated, presentChanges } from '#core/structure/publish.ts';

export const handler = operation(forms.getChanges, openEditedForm, async ({ app, gate, edited }) =>
  presentChanges(edited, await loadBaseIfOutdated(app.table, gate.formId, edited)),
);
