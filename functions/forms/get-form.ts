/** Returns a form as the caller may see it. */
import { forms } from '#core/api/forms.ts';
import { openShownForm } from '#core/forms/open.ts';
import { viewForm } from '#core/forms/service.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getForm, openShownForm, async ({ form, related, reader, app }) => ({
  body: viewForm(form, related, reader, app.now()),
  etag: form.version,
}));
