/** A form as its reader may see it. */

import { forms } from '#core/api/forms.ts';
import { form, hasResponded } from '#core/forms/open.ts';
import { showForm } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getForm, form, async ({ form, editor, user, app }) => {
  const started = editor ? Promise.resolve(false) : hasResponded(app, user.id, form.id);
  return showForm(
    app,
    form,
    started.then((hasStarted) => ({ editor, hasStarted })),
  );
});
