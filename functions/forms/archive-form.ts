/** Archives a form: it is hidden from default lists and takes no responses. */
import { forms } from '#core/api/forms.ts';
import { openForm } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { applyTransition, withEditor } from '#core/forms/status.ts';
import { changeForm } from '#core/forms/store.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.archiveForm, openForm, async ({ form, caller, app }) => {
  const now = app.now().toISOString();
  const changed = await changeForm(app, form, (current) => ({
    next: withEditor(applyTransition(current, 'archive'), caller.id, now),
  }));
  return presentToEditor(app, changed);
});
