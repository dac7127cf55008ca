/**
 * Which submissions have a copy, or a confirmation, that could not be sent. The failed mails of a form are in an index of their own,
 * so that a few of them are found in a form of any size; where there are more than a request reads, the mail of each response that is
 * read is looked up.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { parseJob } from '#core/jobs/job.ts';
import type { ResponseMail } from '#core/responses/delivery-model.ts';

/** A submission, as an index entry and a response have it. */
type Submission = { id: string; submittedAt: string | null };

/**
 * Lists the submissions of a form whose mail has failed, each once, in no order; undefined if there are more than `limit`. Indexes
 * lag: a mail that has failed just now may be missing.
 */
export async function listFailedSubmissions(
  table: Table,
  formId: string,
  limit: number,
): Promise<Submission[] | undefined> {
  const { items, last } = await table.list({ ...partitions.failedJobs(formId, 'response-mail'), limit });
  if (last !== null) return undefined;
  return keepFailed(
    table,
    items.map(({ pk }) => ({ id: lastPart(pk), submittedAt: null })),
  );
}

/** Keeps those of some submissions whose mail has failed; one without a time gets that of its mail. */
export async function keepFailed<T extends Submission>(table: Table, submissions: readonly T[]): Promise<T[]> {
  const items = await table.read(submissions.map(({ id }) => keys.delivery(id, 'email')));
  return submissions.flatMap((submission, index): T[] => {
    const mail = parseJob<ResponseMail>(items[index]);
    if (mail?.state !== 'FAILED') return [];
    const { submittedAt } = mail.data;
    if (submission.submittedAt === null) return [{ ...submission, submittedAt }];
    return submission.submittedAt === submittedAt ? [submission] : [];
  });
}
