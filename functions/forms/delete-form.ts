/** Deletes a form with everything that belongs to it. */
import { forms } from '#core/api/forms.ts';
import { deleteForm } from '#core/deletion/form.ts';
import { openFormToDelete } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.deleteForm, openFormToDelete, async ({ form, app }) => {
  await deleteForm(app, form);
  return { body: undefined };
});
