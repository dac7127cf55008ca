/** Uploads the cover of a form (`do=upload`), or removes it (`do=remove`). */
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import { removeCover, setCover } from '#core/forms/cover.ts';
import { requirePictureCover } from '#core/forms/cover-image.ts';
import { openFormWithQuestions } from '#core/forms/edited.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { loadFormHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { showFields } from '../shell/typed-fields.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { buildHref, withDone } from './frame.ts';
import { LOOK, renderLookPage } from './look.ts';

export const page = definePage({
  name: 'cover',
  audience: 'builders',
  path: '/build/{formId}/cover',
  segmentsBelowPage: 1,
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
    open: openFormWithQuestions,
    byDefault: 'upload',
    actions: {
      upload: async ({ app, form, caller, posted }) => {
        const bytes = posted.files.find(({ name }) => name === 'cover')?.bytes ?? new Uint8Array();
        const image = await requirePictureCover(bytes);
        await setCover(app, { form, image, userId: caller.id, publicUrl: app.config.publicUrl });
        return { location: withDone(`${buildHref(form.id)}/look`, 'saved') };
      },
      remove: async ({ app, form, caller }) => {
        await removeCover(app, form, caller.id);
        return { location: withDone(`${buildHref(form.id)}/look`, 'coverRemoved') };
      },
    },
    explain: async ({ app, form, structure, context }, { status, code }) => {
      if (![400, 413, 415].includes(status)) return undefined;
      const { coverNoRoom, coverInvalid, coverLarge } = getBuilderTexts(context).look;
      const cover = code === 'storage_full' ? coverNoRoom : status === 415 ? coverInvalid : coverLarge;
      const data = { form, structure, typed: showFields(LOOK, form, context), errors: { cover } };
      return { html: renderLookPage(context, await loadFormHead(app, form), data), status };
    },
  },
});
