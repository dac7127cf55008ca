/** Requests statistics over all responses that match, and reads their result. */
import { objects } from '#core/db/bucket.ts';
import { change } from '#core/db/change.ts';
import { idWithin, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Item, Table } from '#core/db/table.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { isPending, parseJob, removeJob } from '#core/jobs/job.ts';
import { problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { COUNT_HOURS, MAX_COUNTS } from '#core/schema/limits.ts';
import type { Structure } from '#core/structure/structure.ts';
import { type LoadedStatistics, presentStatistics } from '#core/table/statistics-data.ts';
import {
  type Count,
  type CountData,
  type CountDocument,
  type CountQuery,
  countKeys,
  isOfNow,
  isSameCount,
  normalizeQuery,
  parseCount,
  placeOf,
  queueCount,
} from './counts-model.ts';
import { newlyRequested } from './progress.ts';
import { loadAsOf } from './service.ts';

/** The result is removed when nobody can read it any more, also by a request that began before. */
const CLEAN_UP_SECONDS = (COUNT_HOURS + 1) * 3_600;
/** When it is worth asking again, if all places are taken: the next one may be free. */
const RETRY_SECONDS = 30;

type Requested = { structure: Structure; query: CountQuery; userId: string };

/** Reads the jobs of a form that are under way or whose results are kept. */
const loadCounts = async ({ table, now }: Pick<Ports, 'table' | 'now'>, formId: string): Promise<Count[]> =>
  (await table.read(countKeys(formId))).flatMap((item) => parseCount(item, now()) ?? []);

/** Reads the job of a person in a form; undefined without one. */
export const loadOwnCount = async (
  app: Pick<Ports, 'table' | 'now'>,
  { formId, userId }: { formId: string; userId: string },
): Promise<Count | undefined> => (await loadCounts(app, formId)).find((count) => count.userId === userId);

/**
 * Queues the count of all responses that match, or returns the job of the person that is of now. It takes the place of another job of
 * theirs, in any form. Throws 429 while five others are counting the form, 413 for more than 1,000,000 responses, 404 when the form was
 * deleted meanwhile.
 */
export const requestCount = (app: ChangePorts, requested: Requested): Promise<Count> =>
  change(app, {
    reload: () => loadState(app, requested),
    decide: ({ data, editedAt, counts, items, ownItem, elsewhere }) => {
      const now = app.now();
      const own = counts.find(({ userId }) => userId === requested.userId);
      if (
        own &&
        isSameCount(own, requested) &&
        (isPending(own) || (own.state === 'DONE' && isOfNow(own, { ...data, editedAt })))
      ) {
        return { writes: [], result: own };
      }
      const place = own ? placeOf(own) : findPlace(counts);
      if (place === undefined) {
        const detail = `${MAX_COUNTS} other people are having all responses of this form counted. Repeat the request when one has finished.`;
        throw problems.tooManyRequests(RETRY_SECONDS, detail);
      }
      const { formId } = data;
      const id = idWithin(formId, app.uuid());
      const next = { ...data, id };
      const pointer = { formId, place, countId: id, expiresAt: epochSeconds(now) + 2 * COUNT_HOURS * 3_600 };
      return {
        writes: [
          queueCount(place, next, parseJob(items[place]), now),
          { check: keys.formGate(formId), when: { absent: false } },
          {
            put: { ...keys.ownCount(requested.userId), ...pointer },
            when: ownItem ? { equals: { countId: ownItem.countId as string } } : { absent: true },
          },
          scheduleCleanUp(app, keys.formGate(formId), objects.export(id), CLEAN_UP_SECONDS),
          ...(elsewhere ? [removeJob(elsewhere)] : []),
        ],
        result: { ...newlyRequested(next, now), job: { key: keys.counting(formId, place) } as Count['job'] },
        onRefused: ({ refusals }) => {
          if (refusals.some(({ index }) => index === 1)) throw problems.notFound();
        },
      };
    },
  });

/** Finds a place that is free, or else that of the oldest job that has ended. */
function findPlace(counts: readonly Count[]): number | undefined {
  const taken = new Map(counts.map((count) => [placeOf(count), count]));
  const free = Array.from({ length: MAX_COUNTS }, (_, place) => place).find((place) => !taken.has(place));
  const [oldest] = counts.filter((count) => !isPending(count)).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return free ?? (oldest && placeOf(oldest));
}

type State = {
  data: Omit<CountData, 'id'>;
  editedAt: string | null;
  counts: readonly Count[];
  items: readonly (Item | undefined)[];
  /** Which job the person has asked for last. */
  ownItem: Item | undefined;
  /** Their job in another form, if it is not over. */
  elsewhere: Count['job'] | undefined;
};

async function loadState(app: ChangePorts, { structure, query, userId }: Requested): Promise<State> {
  const { table } = app;
  const { formId } = structure;
  const [{ asOf, editedAt }, [ownItem, ...items]] = await Promise.all([
    loadAsOf(table, structure, query),
    table.read([keys.ownCount(userId), ...countKeys(formId)]),
  ]);
  return {
    data: { formId, userId, query: normalizeQuery(query), ...asOf },
    editedAt,
    counts: items.flatMap((item) => parseCount(item, app.now()) ?? []),
    items,
    ownItem,
    elsewhere: await loadElsewhere(table, formId, ownItem),
  };
}

/** Reads the job that a person has in another form, if it is not over. */
async function loadElsewhere(table: Table, formId: string, own: Item | undefined): Promise<Count['job'] | undefined> {
  if (!own || own.formId === formId) return undefined;
  const [item] = await table.read([keys.counting(String(own.formId), Number(own.place))]);
  const job = parseJob<CountData>(item);
  return job && job.data.id === own.countId && isPending(job) ? job : undefined;
}

/** The largest result, so that the API can return it. */
export const MAX_RESULT_BYTES = 5_000_000;

/** Reads the result of a job; undefined if it is not there any more. */
export async function loadResult(
  { bucket }: Pick<Ports, 'bucket'>,
  { id }: Count,
): Promise<LoadedStatistics | undefined> {
  const stored = await bucket.inspect(objects.export(id), MAX_RESULT_BYTES);
  return stored && (JSON.parse(Buffer.from(stored.start).toString('utf8')) as LoadedStatistics);
}

/** Presents a job as the API returns it, with its result if there is one. */
export const presentCount = (count: Count | undefined, result?: LoadedStatistics): CountDocument => {
  if (!count) return { state: 'NONE', processed: 0, total: null, createdAt: null, finishedAt: null };
  const { state, processed, total, createdAt, finishedAt, reason } = count;
  return {
    ...{ state, processed, total, createdAt, finishedAt },
    ...(reason !== undefined && { reason }),
    ...(result && { statistics: presentStatistics(result) }),
  };
};
