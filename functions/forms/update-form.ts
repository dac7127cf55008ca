/** Changes the settings of a form, including its cover, in any status. */
import { forms } from '#core/api/forms.ts';
import { updateForm } from '#core/forms/cover.ts';
import { openForm } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { requireAudience, requireNoticesAllowed } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.updateForm, openForm, async ({ form, caller, roles, body, app }) => {
  requireAudience(app, body);
  requireNoticesAllowed(roles, body);
  return presentToEditor(app, await updateForm(app, form, body, { userId: caller.id, roles }));
});
