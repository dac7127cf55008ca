/**
 * Which submissions have a copy, or a confirmation, that could not be sent. The failed mails of a form are in an index of their own,
 * so that a few of them are found in a form of any size; where there are more than a request reads, the mail of each response that is
 * read is looked up.
 */
import { keys, lastPart, NEVER, partitions } from '#core/db/keys.ts';
import type { Consistency, Table } from '#core/db/table.ts';
import { parseJob } from '#core/jobs/job.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import type { ResponseMail } from '#core/responses/delivery-model.ts';
import type { Response } from '#core/responses/model.ts';
import { loadResponses } from '#core/responses/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { buildFilter } from './filter.ts';
import type { FilterInput } from './model.ts';

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

/** The responses with failed copies that are read at once: nothing says how large they are. */
const FAILED_BATCH = 25;

type Batch = { responses: Response[]; last: string | null; positions: ReadonlyMap<string, string> };

/** `after`: a position in the order of submission. `find`: finds those that the search of the query finds. */
type FailedReading = {
  after?: string | undefined;
  descending: boolean;
  consistency?: Consistency | undefined;
  visit?: ((response: Response) => void) | undefined;
  find(responses: Response[]): Promise<Response[]>;
};

/** Reads the matches among the submissions whose copies have failed, which are all known. */
export async function* readFailedMatches(
  table: Table,
  structure: Structure,
  query: FilterInput,
  failed: readonly Submission[],
  { after, descending, consistency, visit, find }: FailedReading,
): AsyncGenerator<Batch, void, undefined> {
  const { from = '', to = NEVER } = query;
  const filter = buildFilter(structure, query.filters);
  const isAhead = (position: string) => after === undefined || (descending ? position < after : position > after);
  const listed = failed
    .map(({ id, submittedAt }) => ({ id, submittedAt, position: `${submittedAt}#${id}` }))
    .filter(({ position }) => position >= from && position < to && isAhead(position))
    .toSorted((a, b) => (a.position < b.position ? -1 : 1) * (descending ? -1 : 1));
  for (let start = 0; start === 0 || start < listed.length; start += FAILED_BATCH) {
    const batch = new Map(listed.slice(start, start + FAILED_BATCH).map((each) => [each.id, each]));
    const loaded = await loadResponses(table, [...batch.keys()], consistency);
    const standing = loaded.filter(
      ({ id, formId, progress, submittedAt }) =>
        formId === structure.formId && progress === 'SUBMITTED' && submittedAt === batch.get(id)?.submittedAt,
    );
    const found = await find(standing);
    for (const response of found) visit?.(response);
    const positions = new Map([...batch.values()].map(({ id, position }) => [id, position]));
    const isLast = start + FAILED_BATCH >= listed.length;
    yield {
      responses: found.filter((response) => filter.matches(countedAnswers({ response, structure }))),
      last: isLast ? null : ([...positions.values()].at(-1) ?? null),
      positions,
    };
  }
}
