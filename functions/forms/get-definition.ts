/** Returns a form as a definition, which can be imported elsewhere. */
import { forms } from '#core/api/forms.ts';
import { exportDefinition } from '#core/definitions/copies.ts';
import { openCompleteForm } from '#core/definitions/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getDefinition, openCompleteForm, async ({ complete }) => ({
  body: exportDefinition(complete),
}));
