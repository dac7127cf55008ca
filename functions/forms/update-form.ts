/** Changes the settings of a form; its editors may do so in any status. */

import { forms } from '#core/api/forms.ts';
import { patchForm } from '#core/forms/edit.ts';
import { form } from '#core/forms/open.ts';
import { changeForm, showEdited } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.updateForm, form, async ({ form, user, body, ifMatch, app }) => {
  const now = app.now().toISOString();
  return showEdited(app, await changeForm({ app, form, ifMatch }, (current) => patchForm(current, body, user.id, now)));
});
