/** Archives a form: it is hidden from default lists and takes no responses. */
import { forms } from '#core/api/forms.ts';
import { openForm } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { archiveForm } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.archiveForm, openForm, async ({ form, caller, app }) =>
  presentToEditor(app, await archiveForm(app, form, caller.id)),
);
