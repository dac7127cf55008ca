/** The handler of each kind of delivery. */
import { type AttemptCounts, attemptDeliveries, type DeliveryHandlers, dueDeliveries } from './attempt.ts';
import { cleanUps } from './clean-up.ts';
import { deletions } from './deletion.ts';
import { exportMails } from './mail/export-delivery.ts';
import { responseMails } from './mail/response-mail.ts';
import type { DeliveryPorts } from './ports.ts';
import { recounts } from './recount.ts';
import { spreadsheetBackfills } from './sheets/backfill.ts';
import { spreadsheetRows } from './sheets/sync.ts';

/** What the worker `deliver` attempts at once: deliveries that take a few seconds and should not wait for a sweep. */
export const PROMPT_HANDLERS = {
  'clean-up': cleanUps,
  recount: recounts,
  'response-mail': responseMails,
  'export-mail': exportMails,
  'spreadsheet-row': spreadsheetRows,
  'spreadsheet-backfill': spreadsheetBackfills,
} as const satisfies DeliveryHandlers<DeliveryPorts>;

/** What the worker `sweep` attempts. */
const HANDLERS = {
  ...PROMPT_HANDLERS,
  deletion: deletions,
} as const satisfies DeliveryHandlers<DeliveryPorts>;

/**
 * Attempts everything that is due, and what becomes due meanwhile, until `mayContinue` returns false. Returns how many
 * attempts had which result.
 */
export async function sweepDeliveries(app: DeliveryPorts, mayContinue: () => boolean): Promise<AttemptCounts> {
  const total: AttemptCounts = {};
  let hasAttempted = true;
  // A round in which nothing was attempted is the last one: nothing was due, or other workers attempt it.
  while (hasAttempted && mayContinue()) {
    hasAttempted = false;
    for await (const due of dueDeliveries(app)) {
      const counts = await attemptDeliveries(app, due, HANDLERS);
      const results = Object.entries(counts) as [keyof AttemptCounts, number][];
      for (const [result, count] of results) total[result] = (total[result] ?? 0) + count;
      hasAttempted ||= results.length > 0;
      if (!mayContinue()) break;
    }
  }
  return total;
}
