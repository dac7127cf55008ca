/** Uploads the cover of a form (`do=upload`), or removes it (`do=remove`). */
import { MAX_BODY_BYTES } from '#core/api/declare.ts';
import { setCover, updateForm } from '#core/forms/cover.ts';
import { requirePictureCover } from '#core/forms/cover-image.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import { Problem } from '#core/problems/problems.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { loadFormHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { buildHref, withDone } from './frame.ts';
import { renderLookPage, toTypedLook } from './look.ts';

export const page = definePage({
  name: 'cover',
  audience: 'builders',
  path: '/build/{formId}/cover',
  segmentsBelowPage: 1,
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'covers:read', 'covers:write'],
    maxFormBytes: MAX_BODY_BYTES,
    open: openFormWithDraft,
    actions: {
      changeCover: async ({ app, form, structure, caller, posted, context }) => {
        const href = `${buildHref(form.id)}/look`;
        if (posted.fields.get('do') === 'remove') {
          await updateForm(app, form, { coverImage: null }, caller.id);
          return { location: withDone(href, 'coverRemoved') };
        }
        const texts = getBuilderTexts(context).look;
        const bytes = posted.files.find(({ name }) => name === 'cover')?.bytes ?? new Uint8Array();
        try {
          const image = await requirePictureCover(bytes);
          await setCover(app, { form, image, userId: caller.id, publicUrl: app.config.publicUrl });
          return { location: withDone(href, 'saved') };
        } catch (error) {
          if (!(error instanceof Problem) || ![400, 413, 415].includes(error.status)) throw error;
          const isFull = error.code === 'storage_full';
          const errors = {
            cover: isFull ? texts.coverNoRoom : error.status === 415 ? texts.coverInvalid : texts.coverLarge,
          };
          const html = renderLookPage(context, await loadFormHead(app, form), {
            form,
            structure,
            typed: toTypedLook(form),
            errors,
          });
          return { html, status: error.status };
        }
      },
    },
  },
});
