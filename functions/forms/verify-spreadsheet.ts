/** Checks whether submissions can be sent to a spreadsheet. */
import { signedIn } from '#core/accounts/open.ts';
import { forms } from '#core/api/forms.ts';
import { spreadsheetIdOf } from '#core/forms/spreadsheet-url.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(forms.verifySpreadsheet, signedIn, async ({ body, app }) => {
  const spreadsheetId = spreadsheetIdOf(body.spreadsheetUrl);
  return { body: { isValid: spreadsheetId !== null && (await app.sheets.canWrite(spreadsheetId)) } };
});
