/** Checks whether submissions can be sent to a spreadsheet. */
import { signedIn } from '#core/accounts/accounts.ts';
import { forms } from '#core/api/forms.ts';
import { operation } from '#core/http/operation.ts';
import { verifySpreadsheet } from '#core/sheets/status.ts';

export const handler = operation(forms.verifySpreadsheet, signedIn, async ({ caller, body, app }) => ({
  body: { isValid: await verifySpreadsheet(app, caller.id, body.spreadsheetUrl) },
}));
