/** Saves the definition of a form as a file, from which the form can be created again. */
import { builderPages } from '#core/api/builder-pages.ts';
import { exportDefinition, openCompleteForm } from '#core/definitions/copies.ts';
import { contentDisposition } from '#core/files/download.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.downloadDefinition, openCompleteForm, async ({ complete }) => ({
  file: {
    bytes: Buffer.from(JSON.stringify(exportDefinition(complete), null, 2)),
    contentType: 'application/json',
    disposition: contentDisposition(`${complete.form.title}.json`),
  },
}));
