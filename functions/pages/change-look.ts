/** Changes the colour and the fonts of a form, unless somebody else has changed them since they were shown. */
import { builderPages } from '#core/api/builder-pages.ts';
import { updateForm } from '#core/forms/cover.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import type { Form } from '#core/forms/model.ts';
import { reloadForm } from '#core/forms/store.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import { checkLook, lookPage, lookStamp, overwrittenLook, postedLook } from '#core/pages/builder/look.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion, saveUnchanged } from '#core/pages/shell/unchanged.ts';

export const handler = page(
  builderPages.changeLook,
  openFormWithDraft,
  async ({ app, form, structure, caller, posted, context }) => {
    const typed = postedLook(posted.fields);
    const again = async (current: Form, refused: object, status: number) => ({
      html: lookPage(context, await loadFormHead(app, current), {
        form: current,
        structure,
        typed,
        errors: {},
        ...refused,
      }),
      status,
    });
    const save = async (current: Form) => {
      const overwritten =
        posted.fields.get('stamp') === lookStamp(current) ? [] : overwrittenLook(context, current, typed);
      if (overwritten.length > 0) return again(current, { overwritten }, 409);
      const checked = checkLook(context, typed);
      if ('errors' in checked) return again(current, { errors: checked.errors }, 400);
      await updateForm(onlyAtVersion(app, current.version), current, checked.patch, caller.id);
      return { location: withDone(`${buildHref(form.id)}/look`, 'saved') };
    };
    return saveUnchanged(form, () => reloadForm(app, form.id), save);
  },
);
