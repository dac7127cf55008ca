/** Saves the definition of a form as a file, from which the form can be created again. */
import { exportDefinition, openCompleteForm } from '#core/definitions/copies.ts';
import { contentDisposition } from '#core/files/download.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'definition',
  audience: 'builders',
  path: '/build/{formId}/definition',
  access: member,
  needs: LIST,
  open: openCompleteForm,
  show: async ({ complete }) => ({
    file: {
      bytes: Buffer.from(JSON.stringify(exportDefinition(complete), null, 2)),
      contentType: 'application/json',
      disposition: contentDisposition(`${complete.form.title}.json`),
    },
  }),
});
