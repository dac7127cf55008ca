/** Shows the colour, the fonts and the cover of a form. Changes the colour and the fonts of a form. */
import { openFormWithQuestions } from '#core/forms/edited.ts';
import type { Form } from '#core/forms/model.ts';
import { reloadForm } from '#core/forms/store.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { loadFormHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { listLabels, listOverwrittenFields, readFields, showFields } from '../shell/typed-fields.ts';
import { saveTyped } from '../shell/typed-form.ts';
import { buildHref, withDone } from './frame.ts';
import { checkLook, hashLook, LOOK, type LookPage, renderLookPage } from './look.ts';

export const page = definePage({
  name: 'look',
  audience: 'builders',
  path: '/build/{formId}/look',
  access: member,
  needs: [...LIST, 'covers:read'],
  open: openFormWithQuestions,
  show: async ({ app, form, structure, query, context }) => ({
    html: renderLookPage(context, await loadFormHead(app, form), lookOfAddress(context, { form, structure }, query)),
  }),
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'covers:read'],
    open: openFormWithQuestions,
    labels: (context) => listLabels(context, LOOK),
    actions: {
      changeLook: async ({ app, form, structure, caller, posted: { fields }, context }) => {
        const typed = readFields(LOOK, fields, form);
        const render = async (current: Form, { status, ...changes }: Partial<LookPage> & { status: number }) => {
          const page = { form: current, structure, typed, errors: {}, seen: fields.get('hash'), ...changes };
          return { html: renderLookPage(context, await loadFormHead(app, current), page), status };
        };
        const checked = checkLook(context, { typed, stored: form });
        if ('errors' in checked) return render(form, { errors: checked.errors, status: 400 });
        return saveTyped({
          fields,
          contentHash: hashLook,
          listOverwritten: (current: Form) => listOverwrittenFields(context, LOOK, { typed, stored: current }),
          reload: () => reloadForm(app, form.id),
          render,
          save: async (requireSeen) => {
            const { updateForm } = await import('#core/forms/cover.ts');
            await updateForm(app, form, checked.patch, { userId: caller.id, roles: [] }, requireSeen);
            return withDone(`${buildHref(form.id)}/look`, 'saved');
          },
        });
      },
    },
  },
});

/** Reads what is shown for an address: the stored look, or with `color` in the query one that is not saved yet. */
function lookOfAddress(
  context: PageContext,
  { form, structure }: Pick<LookPage, 'form' | 'structure'>,
  query: URLSearchParams,
): LookPage {
  if (!query.has('color')) return { form, structure, typed: showFields(LOOK, form, context), errors: {} };
  const typed = readFields(LOOK, query, form);
  const checked = checkLook(context, { typed, stored: form });
  return {
    form,
    structure,
    typed,
    errors: 'errors' in checked ? checked.errors : {},
    seen: query.get('hash'),
  };
}
