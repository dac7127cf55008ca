/** Redirects to the cover image of a form. */
import { forms } from '#core/api/forms.ts';
import { signCoverUrl } from '#core/forms/cover.ts';
import { openForm } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getCover, openForm, async ({ form, app }) => ({
  body: undefined,
  location: await signCoverUrl(app, form),
}));
