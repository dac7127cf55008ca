/** Changes the colour and the fonts of a form, unless somebody else has changed them since they were shown. */
import { builderPages } from '#core/api/pages.ts';
import { updateForm } from '#core/forms/cover.ts';
import { openForm } from '#core/forms/open.ts';
import { buildHref, loadFormHead, withDone } from '#core/pages/builder/frame.ts';
import { checkLook, lookPage, lookStamp, overwrittenLook, postedLook } from '#core/pages/builder/look.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.changeLook, openForm, async ({ app, form, caller, posted, context }) => {
  const typed = postedLook(posted.fields);
  const again = async (refused: object, status: number) => ({
    html: lookPage(context, await loadFormHead(app, form), { form, typed, errors: {}, ...refused }),
    status,
  });
  const overwritten = posted.fields.get('stamp') === lookStamp(form) ? [] : overwrittenLook(context, form, typed);
  if (overwritten.length > 0) return again({ overwritten }, 409);
  const checked = checkLook(context, typed);
  if ('errors' in checked) return again({ errors: checked.errors }, 400);
  await updateForm(app, form, checked.patch, caller.id);
  return { location: withDone(`${buildHref(form.id)}/look`, 'saved') };
});
