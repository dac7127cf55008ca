/** Changes the colour and the fonts of a form. */
import { builderPages } from '#core/api/builder-pages.ts';
import { updateForm } from '#core/forms/cover.ts';
import { openFormWithDraft } from '#core/forms/draft.ts';
import type { Form } from '#core/forms/model.ts';
import { reloadForm } from '#core/forms/store.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import {
  checkLook,
  hashLook,
  type LookPage,
  listOverwritten,
  parseTypedLook,
  renderLookPage,
} from '#core/pages/builder/look.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';

export const handler = page(
  builderPages.changeLook,
  openFormWithDraft,
  async ({ app, form, structure, caller, posted: { fields }, context }) => {
    const typed = parseTypedLook(fields);
    const render = async (current: Form, { status, ...changes }: Partial<LookPage> & { status: number }) => {
      const page = { form: current, structure, typed, errors: {}, seen: fields.get('hash'), ...changes };
      return { html: renderLookPage(context, await loadFormHead(app, current), page), status };
    };
    const checked = checkLook(context, typed);
    if ('errors' in checked) return render(form, { errors: checked.errors, status: 400 });
    return saveTyped({
      fields,
      contentHash: hashLook,
      listOverwritten: (current: Form) => listOverwritten(context, current, typed),
      reload: () => reloadForm(app, form.id),
      render,
      save: async (requireSeen) => {
        await updateForm(app, form, checked.patch, caller.id, requireSeen);
        return withDone(`${buildHref(form.id)}/look`, 'saved');
      },
    });
  },
);
