/** Shows the settings of a form with the state of its spreadsheet. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openForm } from '#core/forms/open.ts';
import { loadSettings, renderFormSettingsPage, toTypedSettings } from '#core/pages/builder/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.showFormSettings, openForm, async ({ app, form, context }) => {
  const { head, ...spreadsheet } = await loadSettings(app, form);
  const typed = toTypedSettings(form, context.timeZone);
  return { html: renderFormSettingsPage(context, head, { form, typed, errors: {}, ...spreadsheet }) };
});
