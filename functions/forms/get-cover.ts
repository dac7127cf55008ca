/** Leads to the image of a form's cover. */

import { forms } from '#core/api/forms.ts';
import { coverLocation } from '#core/forms/cover.ts';
import { form } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getCover, form, async ({ form, app }) => ({
  body: undefined,
  location: await coverLocation(app, form),
}));
