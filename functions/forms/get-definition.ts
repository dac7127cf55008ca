/** Returns a form as a definition, which can be imported elsewhere. */
import { forms } from '#core/api/forms.ts';
import { exportDefinition, openCompleteForm } from '#core/definitions/copies.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getDefinition, openCompleteForm, async ({ complete }) => ({
  body: exportDefinition(complete),
}));
