/** Stops highlighting a question. */
import { forms } from '#core/api/forms.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editHighlight, requireHighlight, withHighlight } from '#core/table/highlight.ts';

export const handler = operation(
  forms.deleteHighlight,
  withHighlight(openStructure),
  async ({ structure, highlight, app }) => {
    await editHighlight(app, { structure, highlight }, (current) => {
      requireHighlight(current);
      return undefined;
    });
    return { body: undefined };
  },
);
