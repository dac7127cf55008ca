/** Makes a prefilled link of the posted values, and says which of them are not answers. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openFormWithStructure } from '#core/forms/open.ts';
import { renderSharePage } from '#core/pages/builder/share.ts';
import { findPrefill } from '#core/pages/fields/prefill.ts';
import { loadFormHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { isPrefillTooLarge, listPrefillFields } from '#core/pages/shell/prefill-link.ts';

export const handler = page(
  builderPages.prefillLink,
  openFormWithStructure,
  async ({ app, form, structure, posted, context }) => {
    const fields = listPrefillFields(posted.fields);
    const { leftOut } = findPrefill(structure, fields, context.now.toISOString());
    const html = renderSharePage(context, await loadFormHead(app, form), {
      form,
      structure,
      prefill: { fields, leftOut },
    });
    return { html, status: leftOut.length > 0 || isPrefillTooLarge(fields) ? 400 : 200 };
  },
);
