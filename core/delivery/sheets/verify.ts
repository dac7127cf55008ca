/** Checks for a person whether the submissions of their forms can be sent to a spreadsheet. */
import { loadAccount } from '#core/accounts/store.ts';
import { countUse } from '#core/db/rate-limit.ts';
import { loadSheetOwner } from '#core/forms/spreadsheet-owner.ts';
import { spreadsheetIdOf } from '#core/forms/spreadsheet-url.ts';
import { problems } from '#core/problems/problems.ts';
import type { DeliveryPorts } from '../ports.ts';
import { SheetFailure } from './port.ts';

/** The quota of the spreadsheet service is shared by everybody. */
const CHECKS = { name: 'verify-spreadsheet', max: 10, seconds: 60 };

/**
 * Whether an address is that of a spreadsheet that the service can change now, and that belongs to no organization but
 * those of the person. Throws 429 beyond ten checks in a minute, 503 while the spreadsheet service limits requests.
 */
export async function verifySpreadsheet(app: DeliveryPorts, userId: string, address: string): Promise<boolean> {
  await countUse(app, CHECKS, userId);
  const spreadsheetId = spreadsheetIdOf(address);
  if (spreadsheetId === null) return false;
  const [owner, account] = await Promise.all([
    loadSheetOwner(app.table, spreadsheetId),
    loadAccount(app.table, userId),
  ]);
  if (owner !== undefined && account?.memberships[owner] === undefined) return false;
  try {
    return await app.sheets.canWrite(spreadsheetId);
  } catch (error) {
    if (!(error instanceof SheetFailure)) throw error;
    if (error.reason === 'rate_limited') throw problems.spreadsheetsBusy(error);
    app.log({ level: 'warn', spreadsheet: error.reason, why: error.message });
    return false;
  }
}
