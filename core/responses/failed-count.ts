/** How many mails of submissions to a form have failed for good. */
import { partitions } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';

/** Whether a form can have mails that failed: it sends copies, or guests can ask for a confirmation. */
export const sendsMails = ({ sendResponseEmail, audience }: Pick<Gate, 'sendResponseEmail' | 'audience'>): boolean =>
  sendResponseEmail || audience !== 'ACCOUNT';

/** How many failed mails are counted. */
export const MAX_FAILED_COUNTED = 100;

/**
 * Counts the failed mails of a form, up to 100; a form that sends none is not looked at. Mails of submissions that were withdrawn since
 * are included.
 */
export const countFailedMails = async (
  table: Table,
  formId: string,
  settings: Parameters<typeof sendsMails>[0],
): Promise<number> => {
  if (!sendsMails(settings)) return 0;
  const count = await table.count({ ...partitions.failedJobs(formId, 'response-mail'), limit: MAX_FAILED_COUNTED });
  return Math.min(count, MAX_FAILED_COUNTED);
};
