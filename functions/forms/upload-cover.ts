/** Takes an image as the cover of a form, or says how to upload one straight to storage. */

import { forms } from '#core/api/forms.ts';
import { setCover, signCover } from '#core/forms/cover.ts';
import { form } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.uploadCover, form, async ({ form, user, parts, body, ifMatch, app }) => {
  if (body) return signCover({ app, form, ifMatch }, body);
  const [image] = parts ?? [];
  return setCover({ app, form, ifMatch }, image?.bytes ?? new Uint8Array(), user.id);
});
