/** Spreadsheets through the APIs of Google Sheets and Google Drive: the adapter of the port. */
import * as z from 'zod';
import { SheetFailure, type SheetFailureReason, type SheetPort, type SheetTable } from '#core/sheets/port.ts';
import { buildAdditions, buildReplacements, emptyLayout } from './changes.ts';
import { buildSearch, type Layout, parseGoogleResponse, parseLayout, parseSheets, SHEETS_QUERY } from './layout.ts';
import { type GoogleRequest, type GoogleSettings, googleRequests } from './requests.ts';

/** How long a spreadsheet that could be changed is presumed to stay so, and how many are remembered. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Creates the port to the spreadsheets that a service account may change. Use one per process: it keeps the token. */
export function googleSheets(settings: GoogleSettings): SheetPort {
  const request = googleRequests(settings);
  const requestSheets: GoogleRequest = (path, body) => request(`${settings.sheetsUrl}/v4/spreadsheets/${path}`, body);
  /** Until when each spreadsheet is known to be one that can be changed. */
  const editable = new Map<string, number>();
  return {
    email: async () => settings.account.client_email,
    async canWrite(spreadsheetId) {
      const now = settings.now().getTime();
      if ((editable.get(spreadsheetId) ?? 0) > now) return true;
      if (!(await isEditable(request, `${settings.driveUrl}/drive/v3/files/${spreadsheetId}`))) return false;
      if (editable.size >= MAX_REMEMBERED) editable.clear();
      editable.set(spreadsheetId, now + REMEMBERED_MS);
      return true;
    },
    async write(spreadsheetId, table) {
      try {
        await writeOnce(requestSheets, spreadsheetId, table);
      } catch (error) {
        // Somebody deleted rows between the search and the change: search again.
        if (!(error instanceof SheetFailure) || error.reason !== 'refused') throw error;
        await writeOnce(requestSheets, spreadsheetId, table);
      }
    },
  };
}

const DriveFile = z.object({ mimeType: z.string(), capabilities: z.object({ canEdit: z.boolean().default(false) }) });
const FILE_QUERY = 'fields=mimeType,capabilities(canEdit)&supportsAllDrives=true';
/** The type of a spreadsheet; an Excel file that is opened in Google Sheets has another one, and cannot be changed. */
const SPREADSHEET_TYPE = 'application/vnd.google-apps.spreadsheet';

/** Whether a file is a spreadsheet that the account may edit: a read, and not of the API whose quota the rows need. */
async function isEditable(request: GoogleRequest, file: string): Promise<boolean> {
  try {
    const { mimeType, capabilities } = parseGoogleResponse(DriveFile, await request(`${file}?${FILE_QUERY}`));
    return mimeType === SPREADSHEET_TYPE && capabilities.canEdit;
  } catch (error) {
    if (error instanceof SheetFailure && ABSENT.has(error.reason)) return false;
    throw error;
  }
}

/** The failures that mean that the account cannot use a spreadsheet. */
const ABSENT: ReadonlySet<SheetFailureReason> = new Set(['no_access', 'not_found', 'refused']);

async function writeOnce(request: GoogleRequest, spreadsheetId: string, table: SheetTable): Promise<void> {
  const search = buildSearch(table.rows.map(({ id }) => id));
  const existing = parseLayout(await request(`${spreadsheetId}/developerMetadata:search`, search));
  const isAdding = table.rows.some(({ mayAdd, cells }) => mayAdd && cells !== null);
  // There is nothing to replace or clear.
  if (!existing && !isAdding) return;
  const { before, rowCount } = await completeLayout(request, spreadsheetId, existing);
  const { requests, layout } = buildAdditions(before, table, rowCount);
  if (requests.length > 0) await request(`${spreadsheetId}:batchUpdate`, { requests });
  const body = buildReplacements(before, layout, table);
  if (body) await request(`${spreadsheetId}/values:batchUpdateByDataFilter`, body);
}

/** The layout with what the search does not return: the sheet of a new table, and its size if its end was deleted. */
async function completeLayout(
  request: GoogleRequest,
  spreadsheetId: string,
  existing: Layout | undefined,
): Promise<{ before: Layout; rowCount: number }> {
  if (existing?.end !== undefined) return { before: existing, rowCount: 0 };
  const sheets = parseSheets(await request(`${spreadsheetId}?${SHEETS_QUERY}`));
  const sheet = existing ? sheets.find(({ sheetId }) => sheetId === existing.sheetId) : sheets[0];
  if (!sheet) throw new SheetFailure('refused', 'the spreadsheet has no sheet with cells');
  return { before: existing ?? emptyLayout(sheet.sheetId), rowCount: sheet.rowCount };
}
