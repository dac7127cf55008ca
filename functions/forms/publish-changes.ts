/** Makes the changes of a published form live. */
import { forms } from '#core/api/forms.ts';
import { openDraft } from '#core/forms/draft.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { reloadForm } from '#core/forms/store.ts';
import { operation } from '#core/http/operation.ts';
import { publishChanges } from '#core/structure/publish.ts';

export const handler = operation(forms.publishChanges, openDraft, async ({ app, gate, draft, caller, body }) => {
  await publishChanges(app, { ...body, draft, formId: gate.formId, publisherId: caller.id });
  return presentToEditor(app, await reloadForm(app, gate.formId));
});
