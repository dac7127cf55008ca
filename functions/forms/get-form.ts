/** Returns a form as the caller may see it. */
import { forms } from '#core/api/forms.ts';
import { openForm } from '#core/forms/open.ts';
import { showForm } from '#core/forms/service.ts';
import { hasStarted } from '#core/forms/store.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getForm, openForm, ({ form, editor, caller, app }) => {
  const started = editor ? Promise.resolve(false) : hasStarted(app.table, caller.id, form.id);
  return showForm(
    app,
    form,
    started.then((isStarted) => ({ editor, hasStarted: isStarted })),
  );
});
