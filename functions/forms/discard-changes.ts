/** Discards the changes of a published form. */
import { forms } from '#core/api/forms.ts';
import { openEditedForm } from '#core/forms/edited.ts';
import { operation } from '#core/http/operation.ts';
import { discardChanges } from '#core/structure/changes.ts';

export const handler = operation(forms.discardChanges, openEditedForm, async ({ app, gate, edited, caller }) => {
  await discardChanges(app, { edited, formId: gate.formId, editorId: caller.id });
  return { body: undefined };
});
