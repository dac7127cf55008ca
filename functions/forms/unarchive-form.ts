/** Restores an archived form as a DRAFT. */
import { forms } from '#core/api/forms.ts';
import { openForm } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { applyTransition, withEditor } from '#core/forms/status.ts';
import { changeForm } from '#core/forms/store.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.unarchiveForm, openForm, async ({ form, caller, app }) => {
  const now = app.now().toISOString();
  const changed = await changeForm(app, form, (current) => ({
    next: withEditor(applyTransition(current, 'unarchive'), caller.id, now),
  }));
  return presentToEditor(app, changed);
});
