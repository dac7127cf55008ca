/** Deletes a form with everything that belongs to it. */
import { forms } from '#core/api/forms.ts';
import { deleteForm } from '#core/deletion/marks.ts';
import { openForm } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.deleteForm, openForm, async ({ form, app }) => {
  await deleteForm(app, form);
  return { body: undefined };
});
