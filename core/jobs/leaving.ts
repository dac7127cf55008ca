/** The job that ends the mails about new responses to somebody who has left an organization: they may be those of 200 forms. */
import { keys } from '#core/db/keys.ts';
import type { Item, Write } from '#core/db/table.ts';
import { newJob, parseJob, replaceJob } from './job.ts';

/** The data of the job: since when they have got the mails of each form, by the keys of the forms. */
export type Leaving = { forms: Readonly<Record<string, string>> };

/**
 * Builds the write that queues the job, in the transaction by which the member leaves. `before`: the item of the job, of somebody who has
 * left before and whose mails have not all ended.
 */
export function queueLeaving(
  { orgId, userId }: { orgId: string; userId: string },
  forms: Leaving['forms'],
  before: Item | undefined,
  now: Date,
): Write {
  const job = parseJob<Leaving>(before);
  const data = { forms: { ...job?.data.forms, ...forms } };
  return replaceJob(newJob<Leaving>({ key: keys.leaving(orgId, userId), kind: 'leaving', data }, now), job);
}
