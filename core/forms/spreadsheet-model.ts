/** Spreadsheets that receive the submissions of forms: how they are verified, and whether submissions reach them. */
import * as z from 'zod';
import { type Infer, schema, Timestamp } from '#core/schema/schema.ts';

export const SpreadsheetStatus = schema(() =>
  z
    .object({
      state: z
        .enum(['READY', 'BACKFILLING', 'RETRYING', 'FAILED'])
        .describe(
          'READY: rows follow submissions within a minute. BACKFILLING: rows of earlier submissions are queued. RETRYING: the last attempt failed and is repeated for 72 hours. FAILED: rows were given up; set `spreadsheetUrl` again to repeat them.',
        ),
      reason: z
        .enum([
          'unavailable',
          'rate_limited',
          'no_access',
          'not_found',
          'refused',
          'no_google_spreadsheet',
          'not_set_up',
          'internal_error',
        ])
        .nullable()
        .describe(
          '`no_access`: share the spreadsheet with the address of GET /api/forms/spreadsheet-email as an editor. `refused`: it may be full (about 29,000 rows) or not an ordinary Google spreadsheet. `not_set_up`: this installation has no account for spreadsheets.',
        ),
      since: Timestamp().nullable().describe('When the state was entered; null for READY.'),
    })
    .meta({ id: 'SpreadsheetStatus' }),
);
export type SpreadsheetStatus = Infer<typeof SpreadsheetStatus>;

/** The address of a spreadsheet to verify: any text, because the result says whether it is valid. */
export const SpreadsheetInput = schema(() =>
  z.object({ spreadsheetUrl: z.string().max(2_048) }).meta({ id: 'SpreadsheetInput' }),
);

export const SpreadsheetCheck = schema(() =>
  z
    .object({
      isValid: z.boolean().describe('Whether it is the address of a spreadsheet that the service can change.'),
    })
    .meta({ id: 'SpreadsheetCheck' }),
);

export const SpreadsheetEmail = schema(() =>
  z
    .object({ email: z.string().describe('Share a spreadsheet with this address as an editor.') })
    .meta({ id: 'SpreadsheetEmail' }),
);

// Addresses of Google spreadsheets.

/**
 * Parses the id in the address of a Google spreadsheet, such as
 * `https://docs.google.com/spreadsheets/d/<id>/edit#gid=0`; null for any other address.
 */
export function parseSpreadsheetId(address: string): string | null {
  const url = URL.parse(address);
  if (url?.origin !== 'https://docs.google.com') return null;
  return /^\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)(?:\/|$)/.exec(url.pathname)?.[1] ?? null;
}

/** Returns the id of the Google spreadsheet of a form; null without one. */
export const getSpreadsheetId = ({ spreadsheetUrl }: { spreadsheetUrl: string | null }): string | null =>
  spreadsheetUrl === null ? null : parseSpreadsheetId(spreadsheetUrl);
