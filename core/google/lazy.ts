/** The spreadsheets of a process. The client is loaded and configured at the first call: most functions have no key. */
import { lazyPort } from '#core/db/ports.ts';
import { problems } from '#core/problems/problems.ts';
import { SheetFailure, type SheetPort } from '#core/sheets/port.ts';
import type { GoogleSettings } from './requests.ts';

/** Creates a port to spreadsheets whose settings are read at its first call; undefined if spreadsheets are not set up. */
export function lazySheets(settings: () => Omit<GoogleSettings, 'now'> | undefined): SheetPort {
  const load = async (): Promise<SheetPort> => {
    const configured = settings();
    if (!configured) return NOT_SET_UP;
    const { googleSheets } = await import('./sheets.ts');
    return googleSheets({ ...configured, now: () => new Date() });
  };
  return lazyPort<SheetPort>(load, { email: true, canWrite: true, write: true });
}

const NOT_SET_UP: SheetPort = {
  email: async () => {
    throw problems.spreadsheetsNotSetUp();
  },
  canWrite: async () => false,
  write: async () => {
    throw new SheetFailure('not_set_up', 'SHEETS_KEY is not set');
  },
};
