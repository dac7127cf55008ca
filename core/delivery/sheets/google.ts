/** Spreadsheets through the Google Sheets API: the adapter of the port. */
import { additions, emptyLayout, replacements } from './google-changes.ts';
import { type Layout, layoutOf, SHEETS_QUERY, searchFor, sheetsOf } from './google-layout.ts';
import { type GoogleRequest, type GoogleSettings, googleRequests } from './google-requests.ts';
import { SheetFailure, type SheetPort, type SheetTable } from './port.ts';

/** The key of the metadata with which `canWrite` tries whether it may change a spreadsheet. */
const TRIAL = 't';

/** The spreadsheets that a service account may change. Use one per process: it keeps the access token. */
export function googleSheets(settings: GoogleSettings): SheetPort {
  const request = googleRequests(settings);
  return {
    email: async () => settings.account.client_email,
    async canWrite(spreadsheetId) {
      try {
        await request(`${spreadsheetId}:batchUpdate`, TRIAL_UPDATE);
        return true;
      } catch (error) {
        if (error instanceof SheetFailure) return false;
        throw error;
      }
    },
    async write(spreadsheetId, table) {
      try {
        await writeOnce(request, spreadsheetId, table);
      } catch (error) {
        // Somebody deleted rows between the search and the change: search again.
        if (!(error instanceof SheetFailure) || error.reason !== 'refused') throw error;
        await writeOnce(request, spreadsheetId, table);
      }
    },
  };
}

/** Adds and removes a tag in one atomic request, which only an editor may do. */
const TRIAL_UPDATE = {
  requests: [
    {
      createDeveloperMetadata: {
        developerMetadata: { metadataKey: TRIAL, location: { spreadsheet: true }, visibility: 'PROJECT' },
      },
    },
    {
      deleteDeveloperMetadata: {
        dataFilter: { developerMetadataLookup: { metadataKey: TRIAL, visibility: 'PROJECT' } },
      },
    },
  ],
};

async function writeOnce(request: GoogleRequest, spreadsheetId: string, table: SheetTable): Promise<void> {
  const search = searchFor(table.rows.map(({ id }) => id));
  const found = layoutOf(await request(`${spreadsheetId}/developerMetadata:search`, search));
  const isAdding = table.rows.some(({ mayAdd, cells }) => mayAdd && cells !== null);
  // There is nothing to replace or clear.
  if (!found && !isAdding) return;
  const { before, rowCount } = await completeLayout(request, spreadsheetId, found);
  const { requests, layout } = additions(before, table, rowCount);
  if (requests.length > 0) await request(`${spreadsheetId}:batchUpdate`, { requests });
  const body = replacements(before, layout, table);
  if (body) await request(`${spreadsheetId}/values:batchUpdateByDataFilter`, body);
}

/** The layout with what the search does not return: the sheet of a new table, and its size if its end was deleted. */
async function completeLayout(
  request: GoogleRequest,
  spreadsheetId: string,
  found: Layout | undefined,
): Promise<{ before: Layout; rowCount: number }> {
  if (found?.end !== undefined) return { before: found, rowCount: 0 };
  const sheets = sheetsOf(await request(`${spreadsheetId}?${SHEETS_QUERY}`));
  const sheet = found ? sheets.find(({ sheetId }) => sheetId === found.sheetId) : sheets[0];
  if (!sheet) throw new SheetFailure('refused', 'the spreadsheet has no sheet with cells');
  return { before: found ?? emptyLayout(sheet.sheetId), rowCount: sheet.rowCount };
}
