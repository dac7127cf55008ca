/** Archives a form: it is hidden from lists and takes no answers. */

import { forms } from '#core/api/forms.ts';
import { form } from '#core/forms/open.ts';
import { changeForm, showEdited } from '#core/forms/service.ts';
import { edited, moveForm } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.archiveForm, form, async ({ form, user, ifMatch, app }) => {
  const now = app.now().toISOString();
  const move = (current: typeof form) => edited(moveForm(current, 'archive'), user.id, now);
  return showEdited(app, await changeForm({ app, form, ifMatch }, move));
});
