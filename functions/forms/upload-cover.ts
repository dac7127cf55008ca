/** Makes an uploaded image the cover of a form, or announces one that is uploaded directly to storage. */
import { forms } from '#core/api/forms.ts';
import { announceCover, setCover } from '#core/forms/cover.ts';
import { openForm } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.uploadCover, openForm, ({ form, caller, parts, body, app }) => {
  const { publicUrl } = app.config;
  if (body) return announceCover(app, { form, input: body, publicUrl });
  return setCover(app, { form, bytes: parts?.[0]?.bytes ?? new Uint8Array(), userId: caller.id, publicUrl });
});
