/** The highlighted question with the count of each choice. */

import { forms } from '#core/api/forms.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { showHighlight } from '#core/review/highlight.ts';

export const handler = operation(forms.getHighlight, formWithStructure, async ({ stored, app }) => ({
  body: await showHighlight(app.table, stored.structure),
}));
