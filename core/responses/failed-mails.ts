/** The mails of submissions that failed for good: those of a form, and how they are sent again. */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { parseJob } from '#core/jobs/job.ts';
import { copiesCurrentSubmission, retryDelivery } from './deliveries.ts';
import type { Response } from './model.ts';
import { eachSelected } from './selected.ts';
import { parseResponse } from './store.ts';

/** A mail that failed. `isCurrent`: its submission still stands, so it can be sent again. */
export type FailedMail = {
  response: Response;
  failedAt: string;
  reason: string | undefined;
  isCurrent: boolean;
};

/**
 * Lists failed mails of a form, oldest submission first. Indexes lag: one that is sent again meanwhile is left out. `last` is the
 * position after which the list continues, null at the end.
 */
export async function listFailedMails(
  table: Table,
  formId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ mails: FailedMail[]; last: string | null }> {
  const batch = await table.list({ ...partitions.failedJobs(formId, 'response-mail'), limit, after });
  const ids = batch.items.map(({ pk }) => lastPart(pk));
  const items = await table.read(ids.flatMap((id) => [keys.delivery(id, 'email'), keys.response(id)]));
  const mails = ids.flatMap((_, index): FailedMail[] => {
    const job = parseJob(items[2 * index]);
    const response = parseResponse(items[2 * index + 1]);
    if (job?.state !== 'FAILED' || response?.formId !== formId) return [];
    const { updatedAt: failedAt, reason } = job;
    return [{ response, failedAt, reason, isCurrent: copiesCurrentSubmission(job, response) }];
  });
  return { mails, last: batch.last };
}

/** Why a mail is not sent again: there is none, its submission was withdrawn, it is under way, or it was sent often. */
const REFUSALS = ['not_found', 'delivery_under_way', 'too_many_requests'] as const;

/** Queues the mails of some responses of a form again. Returns how many were queued; those that cannot be repeated are left out. */
export const resendMails = (
  app: Pick<Ports, 'table' | 'now'>,
  formId: string,
  responseIds: readonly string[],
): Promise<number> =>
  eachSelected(app, { formId, responseIds, unless: REFUSALS }, (response) => retryDelivery(app, response, 'email'));
