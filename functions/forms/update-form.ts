/** Changes the settings of a form, its cover among them; its editors may do so in any status. */

import { forms } from '#core/api/forms.ts';
import { updateForm } from '#core/forms/cover.ts';
import { form } from '#core/forms/open.ts';
import { showEdited } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.updateForm, form, async ({ form, user, body, ifMatch, app }) =>
  showEdited(app, await updateForm({ app, form, ifMatch }, body, user.id)),
);
