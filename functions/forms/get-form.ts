/** Returns a form as the caller may see it. */
import { forms } from '#core/api/forms.ts';
import { openFormWithRelated } from '#core/forms/open.ts';
import { presentForm } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getForm, openFormWithRelated, async ({ form, related, reader, app }) => ({
  body: presentForm(form, related, reader, app.now()),
  etag: form.version,
}));
