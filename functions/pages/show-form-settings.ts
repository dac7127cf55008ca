/** Shows the settings of a form with the state of its spreadsheet. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openForm } from '#core/forms/open.ts';
import { loadSettings, renderFormSettingsPage, SETTINGS } from '#core/pages/builder/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { showFields } from '#core/pages/shell/typed-fields.ts';

export const handler = page(builderPages.showFormSettings, openForm, async ({ app, form, context }) => {
  const { head, ...spreadsheet } = await loadSettings(app, form);
  const typed = showFields(SETTINGS, form, context);
  return { html: renderFormSettingsPage(context, head, { form, typed, errors: {}, ...spreadsheet }) };
});
