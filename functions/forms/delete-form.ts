/** Deletes a form and all that is under it. */

import { forms } from '#core/api/forms.ts';
import { formToDelete } from '#core/forms/open.ts';
import { deleteForm } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.deleteForm, formToDelete, async ({ form, ifMatch, app }) => {
  await deleteForm({ app, form, ifMatch });
  return { body: undefined };
});
