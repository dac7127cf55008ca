/**
 * Changes the settings of a form (`do=save`), also to write failed rows of its spreadsheet again (`do=repeat`), or checks
 * its spreadsheet (`do=check`).
 */
import { builderPages } from '#core/api/builder-pages.ts';
import { updateForm } from '#core/forms/cover.ts';
import { type Form, FormPatch } from '#core/forms/model.ts';
import { openForm } from '#core/forms/open.ts';
import { reloadForm } from '#core/forms/store.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import { replacementFor } from '#core/pages/builder/rich-text-field.ts';
import {
  checkSpreadsheet,
  explainSettings,
  hashSettings,
  loadSettings,
  readTimeZone,
  renderFormSettingsPage,
  SETTINGS,
  type SettingsPage,
} from '#core/pages/builder/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { checkFields, listOverwrittenFields, readFields } from '#core/pages/shell/typed-fields.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';

export const handler = page(
  builderPages.changeFormSettings,
  openForm,
  async ({ app, form, caller, posted: { fields }, context: { ...context } }) => {
    const { timeZone, errors: zoneErrors } = readTimeZone(context, fields);
    context.timeZone = timeZone;
    const typed = readFields(SETTINGS, fields, form);
    const action = fields.get('do');
    const render = async (current: Form, { status = 200, ...changes }: Partial<SettingsPage> & { status?: number }) => {
      const { head, ...spreadsheet } = await loadSettings(app, current);
      const page = { form: current, typed, errors: zoneErrors, seen: fields.get('hash'), ...spreadsheet, ...changes };
      return { html: renderFormSettingsPage(context, head, page), status };
    };
    if (action === 'preview') return render(form, {});
    if (action === 'replace') {
      return render(form, { typed: { ...typed, description: replacementFor(form.description) } });
    }
    if (action === 'check') {
      return render(form, { check: await checkSpreadsheet(app, caller.id, typed.spreadsheetUrl) });
    }
    if (Object.keys(zoneErrors).length > 0) return render(form, { status: 400 });
    const checked = checkFields(context, SETTINGS, FormPatch(), { typed, stored: form });
    if ('errors' in checked) return render(form, { errors: checked.errors, status: 400 });
    // Setting the same spreadsheet again repeats what has failed.
    const repeated = action === 'repeat' ? { spreadsheetUrl: typed.spreadsheetUrl || null } : {};
    return saveTyped({
      fields,
      contentHash: hashSettings,
      listOverwritten: (current: Form) => listOverwrittenFields(context, SETTINGS, { typed, stored: current }),
      reload: () => reloadForm(app, form.id),
      render,
      explain: (problem) => explainSettings(context, problem),
      save: async (requireSeen) => {
        await updateForm(app, form, { ...checked.patch, ...repeated }, caller.id, requireSeen);
        return withDone(`${buildHref(form.id)}/settings`, action === 'repeat' ? 'rowsRepeated' : 'saved');
      },
    });
  },
);
