/** Shows the colour, the fonts and the cover of a form. Changes the colour and the fonts of a form. */
import { openFormWithDraft } from '#core/forms/draft.ts';
import { FONTS } from '#core/forms/fonts.ts';
import type { Form } from '#core/forms/model.ts';
import { reloadForm } from '#core/forms/store.ts';
import type { PageContext } from '../shell/context.ts';
import type { Overwritten } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { loadFormHead } from '../shell/form-frame.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped } from '../shell/typed-form.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { buildHref, withDone } from './frame.ts';
import { checkLook, hashLook, type LookPage, MEMBERS, renderLookPage, type TypedLook, toTypedLook } from './look.ts';

export const page = definePage({
  name: 'look',
  audience: 'builders',
  path: '/build/{formId}/look',
  access: member,
  needs: [...LIST, 'covers:read'],
  open: openFormWithDraft,
  show: async ({ app, form, structure, query, context }) => ({
    html: renderLookPage(context, await loadFormHead(app, form), lookOfAddress(context, { form, structure }, query)),
  }),
  post: {
    access: member,
    needs: [...LIST, 'table:write', 'covers:read'],
    open: openFormWithDraft,
    actions: {
      changeLook: async ({ app, form, structure, caller, posted: { fields }, context }) => {
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
            const { updateForm } = await import('#core/forms/cover.ts');
            await updateForm(app, form, checked.patch, caller.id, requireSeen);
            return withDone(`${buildHref(form.id)}/look`, 'saved');
          },
        });
      },
    },
  },
});

/** The look of a posted form, or of the address of a sample. */
const parseTypedLook = (fields: URLSearchParams): TypedLook => ({
  color: (fields.get('color') ?? '').trim(),
  headerFont: fields.get('headerFont') ?? '',
  questionFont: fields.get('questionFont') ?? '',
  textFont: fields.get('textFont') ?? '',
});

/** Lists the stored values that differ from the chosen ones. */
function listOverwritten(context: PageContext, form: Form, typed: TypedLook): Overwritten[] {
  const texts = getBuilderTexts(context).look;
  const theirs = toTypedLook(form);
  return MEMBERS.filter((member) => theirs[member] !== typed[member]).map((member) => ({
    label: texts[member],
    theirs: FONTS.find(({ id }) => id === theirs[member])?.name ?? theirs[member],
  }));
}

/** Reads what is shown for an address: the stored look, or with `color` in the query one that is not saved yet. */
function lookOfAddress(
  context: PageContext,
  { form, structure }: Pick<LookPage, 'form' | 'structure'>,
  query: URLSearchParams,
): LookPage {
  if (!query.has('color')) return { form, structure, typed: toTypedLook(form), errors: {} };
  const typed = parseTypedLook(query);
  const checked = checkLook(context, typed);
  return {
    form,
    structure,
    typed,
    errors: 'errors' in checked ? checked.errors : {},
    seen: query.get('hash'),
  };
}
