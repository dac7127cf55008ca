/** Returns the e-mail address with which to share a spreadsheet. */
import { signedIn } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.getSpreadsheetEmail, signedIn, async ({ app }) => ({
  body: { email: await app.sheets.email() },
}));
