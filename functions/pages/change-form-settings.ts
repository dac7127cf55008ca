/**
 * Changes the settings of a form (`do=save`), also to write failed rows of its spreadsheet again (`do=repeat`), or checks
 * its spreadsheet (`do=check`). What somebody else has stored since the form was shown is shown beside what was typed, and
 * nothing is replaced before the reader has seen it.
 */
import { builderPages } from '#core/api/builder-pages.ts';
import { updateForm } from '#core/forms/cover.ts';
import type { Form } from '#core/forms/model.ts';
import { openForm } from '#core/forms/open.ts';
import { reloadForm } from '#core/forms/store.ts';
import { buildHref, withDone } from '#core/pages/builder/frame.ts';
import { replacementFor } from '#core/pages/builder/rich-text-field.ts';
import {
  checkSettings,
  loadSettings,
  overwrittenSettings,
  postedSettings,
  type SettingErrors,
  settingsPage,
  settingsStamp,
} from '#core/pages/builder/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { onlyAtVersion, saveUnchanged } from '#core/pages/shell/unchanged.ts';
import { getBuilderTexts } from '#core/pages/text/builder.ts';
import { Problem } from '#core/problems/problems.ts';
import { verifySpreadsheet } from '#core/sheets/status.ts';

export const handler = page(
  builderPages.changeFormSettings,
  openForm,
  async ({ app, form, caller, posted, context }) => {
    const { settings: texts } = getBuilderTexts(context);
    const typed = postedSettings(posted.fields, form);
    const again = async (current: Form, refused: object, status: number) => {
      const { head, ...spreadsheet } = await loadSettings(app, current);
      const seen = posted.fields.get('stamp');
      const page = { form: current, typed, errors: {}, seen, ...spreadsheet, ...refused };
      return { html: settingsPage(context, head, page), status };
    };
    if (posted.fields.get('do') === 'preview') return again(form, {}, 200);
    if (posted.fields.get('do') === 'replace') {
      return again(form, { typed: { ...typed, description: replacementFor(form.description) } }, 200);
    }
    if (posted.fields.get('do') === 'check') {
      const check = await verifySpreadsheet(app, caller.id, typed.spreadsheetUrl).then(
        (isValid) => (isValid ? 'checkValid' : 'checkInvalid'),
        (error: unknown) => {
          if (error instanceof Problem) return 'checkBusy';
          throw error;
        },
      );
      return again(form, { check }, 200);
    }
    const isRepeat = posted.fields.get('do') === 'repeat';
    const save = async (current: Form) => {
      const overwritten =
        posted.fields.get('stamp') === settingsStamp(current) ? [] : overwrittenSettings(context, current, typed);
      if (overwritten.length > 0) return again(current, { overwritten }, 409);
      const checked = checkSettings(context, typed, current);
      if ('errors' in checked) return again(current, { errors: checked.errors }, 400);
      try {
        // Setting the same spreadsheet again repeats what has failed.
        const patch = isRepeat ? { ...checked.patch, spreadsheetUrl: typed.spreadsheetUrl || null } : checked.patch;
        await updateForm(onlyAtVersion(app, current.version), current, patch, caller.id);
        return { location: withDone(`${buildHref(form.id)}/settings`, isRepeat ? 'rowsRepeated' : 'saved') };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
        const isOfSheet = error.errors.some(({ code }) => code === 'spreadsheet_taken');
        const errors: SettingErrors = isOfSheet
          ? { spreadsheetUrl: texts.spreadsheetInvalid }
          : { deadline: texts.closesTooEarly };
        return again(current, { errors }, 400);
      }
    };
    return saveUnchanged(form, () => reloadForm(app, form.id), save);
  },
);
