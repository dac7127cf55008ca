/** Makes the changes of a published form live. */
import { forms } from '#core/api/forms.ts';
import { openEditedForm } from '#core/forms/edited.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { reloadForm } from '#core/forms/store.ts';
import { operation } from '#core/http/operation.ts';
import { publishChanges } from '#core/structure/publish.ts';

export const handler = operation(forms.publishChanges, openEditedForm, async ({ app, gate, edited, caller, body }) => {
  const { formId } = gate;
  // What the form presents is not in its structure: it is the same before and after.
  const present = async () => presentToEditor(app, await reloadForm(app, formId));
  return publishChanges(app, { ...body, edited, formId, publisherId: caller.id }, present);
});
