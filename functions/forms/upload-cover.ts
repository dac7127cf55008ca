/** Makes an uploaded image the cover of a form, or announces one that is uploaded directly to storage. */
import { forms } from '#core/api/forms.ts';
import { announceCover, setCover } from '#core/forms/cover.ts';
import { requireWebpCover } from '#core/forms/cover-image.ts';
import { openForm } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.uploadCover, openForm, async ({ form, caller, parts, body, app }) => {
  const { publicUrl } = app.config;
  if (body) return announceCover(app, { form, input: body, publicUrl });
  const image = await requireWebpCover(parts?.[0]?.bytes ?? new Uint8Array());
  return setCover(app, { form, image, userId: caller.id, publicUrl });
});
