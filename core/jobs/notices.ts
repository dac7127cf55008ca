/**
 * The jobs that mail members about new responses to a form. What is new is collected in an item for each frequency while responses are
 * tallied, in the transaction of their tallies, so that each is collected once. The first one queues a job with it, which takes the
 * item and queues the mails in one transaction. An item and its job therefore come and go together, and one that is collected later
 * begins the next interval.
 */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Write } from '#core/db/table.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { ATTEMPTED_HOURS, NOTICE_MINUTES } from '#core/schema/limits.ts';
import { newJob, queueJob, replaceJob } from './job.ts';

/** How often a member gets mails about new responses: some minutes after one, or in the morning. */
export type NoticeFrequency = 'SOON' | 'DAILY';
export const NOTICE_FREQUENCIES: readonly NoticeFrequency[] = ['SOON', 'DAILY'];

/** Since when there are members who get mails, by how often. */
export type NoticeMarks = Readonly<Partial<Record<NoticeFrequency, string>>>;

/** The data of the job. `isTimed`: it is due when the mails are; a daily one finds out at its first attempt when that is. */
export type NoticeRound = { frequency: NoticeFrequency; isTimed: boolean };

/** The data of a mail: how many responses are new, and the ids of some of them. */
export type NoticeMail = { count: number; responseIds: readonly string[] };

/** How many new responses a mail names. */
export const MAX_NAMED = 20;

/** New responses that were not mailed yet. `id`: of this collection; `responseIds`: of the first of them. */
export type Arrivals = { id: string; count: number; responseIds: readonly string[] };

/** Parses the new responses of an item; undefined when there is none. */
export const parseArrivals = (item: Item | undefined): Arrivals | undefined =>
  item && { id: String(item.id), count: Number(item.count), responseIds: item.responseIds as string[] };

/** Returns the key of the item that collects new responses. */
export const arrivalsKey = (formId: string, frequency: NoticeFrequency) => keys.notices(formId, 'NEW', frequency);

/** Returns the key of the job that mails them. */
export const roundKey = (formId: string, frequency: NoticeFrequency) => keys.notices(formId, 'JOB', frequency);

/** A response that was just submitted. */
type Submitted = { id: string; submittedAt: string | null };

/** The most writes of `collectArrivals`. */
export const ARRIVAL_WRITES = 4;

/**
 * Builds the writes that collect responses which were just submitted, in the transaction that tallies them. Of a form whose marks are
 * `marks`; a response that was submitted before there was a reader is not new to anybody.
 */
export async function collectArrivals(
  { table, now, uuid }: Pick<Ports, 'table' | 'now' | 'uuid'>,
  formId: string,
  marks: NoticeMarks,
  submitted: readonly Submitted[],
): Promise<Write[]> {
  const wanted = NOTICE_FREQUENCIES.flatMap((frequency) => {
    const since = marks[frequency];
    const ids = submitted.flatMap(({ id, submittedAt }) => (since && submittedAt && submittedAt >= since ? [id] : []));
    return ids.length > 0 ? [{ frequency, ids }] : [];
  });
  if (wanted.length === 0) return [];
  const items = await table.read(wanted.map(({ frequency }) => arrivalsKey(formId, frequency)));
  return wanted.flatMap(({ frequency, ids }, index): Write[] => {
    const before = parseArrivals(items[index]);
    const key = arrivalsKey(formId, frequency);
    if (before && before.count >= MAX_NAMED) {
      // Workers that collect at the same time need not agree on more than the number.
      return [{ update: key, add: { count: ids.length }, when: { above: { count: MAX_NAMED - 1 } } }];
    }
    // One that was withdrawn and submitted again is named once.
    const added = ids.filter((id) => !before?.responseIds.includes(id));
    if (before) {
      const set = {
        count: before.count + added.length,
        responseIds: [...before.responseIds, ...added].slice(0, MAX_NAMED),
      };
      return [{ update: key, set, when: { equals: { id: before.id, count: before.count } } }];
    }
    const isSoon = frequency === 'SOON';
    const job = newJob<NoticeRound>(
      {
        ...{ key: roundKey(formId, frequency), kind: 'notices', data: { frequency, isTimed: isSoon } },
        dueInSeconds: isSoon ? NOTICE_MINUTES * 60 : 0,
      },
      now(),
    );
    const first = { id: uuid(), count: ids.length, responseIds: ids.slice(0, MAX_NAMED) };
    return [{ put: { ...key, ...first }, when: { absent: true } }, replaceJob(job, undefined)];
  });
}

/** How long a mail that cannot be sent is kept. */
const KEPT_SECONDS = (ATTEMPTED_HOURS + 24) * 60 * 60;

/** Builds the write that queues the mail about new responses to a member. */
export const queueNoticeMail = (formId: string, userId: string, data: NoticeMail, now: Date): Write =>
  queueJob<NoticeMail>(
    {
      key: keys.notices(formId, 'MAIL', String(now.getTime()), userId),
      kind: 'notice-mail',
      data,
      attributes: { expiresAt: epochSeconds(now) + KEPT_SECONDS },
    },
    now,
  );
