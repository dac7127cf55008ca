/** Publishes a DRAFT whose workflow is valid. */
import { forms } from '#core/api/forms.ts';
import { openFormWithStructure } from '#core/forms/open.ts';
import { presentToEditor } from '#core/forms/service.ts';
import { publishForm } from '#core/forms/status.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.publishForm, openFormWithStructure, async ({ form, structure, caller, app }) =>
  presentToEditor(app, await publishForm(app, { form, structure }, caller.id)),
);
