/** Restores an archived form as a DRAFT. */
import { forms } from '#core/api/forms.ts';
import { openForm } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { unarchiveForm } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.unarchiveForm, openForm, async ({ form, caller, app }) =>
  presentToEditor(app, await unarchiveForm(app, form, caller.id)),
);
