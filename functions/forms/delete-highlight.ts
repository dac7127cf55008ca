/** Stops highlighting a question. */
import { forms } from '#core/api/forms.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { withoutHighlight } from '#core/table/highlight.ts';

export const handler = operation(forms.deleteHighlight, openStructureEdit, ({ stored, app }) =>
  editStructure(app, stored, (structure) => ({ next: withoutHighlight(structure), body: undefined })),
);
