/**
 * The counters of a form: how many responses are drafts and how many are submitted; `answer-counters.ts` has those of
 * the answers. They are spread over a few items, so that workers of a busy form rarely write the same one.
 *
 * Each count belongs to an epoch. A recount starts the next epoch on all items; every response then moves what it counts
 * from the epoch in which it was counted to the current one, in one write, so the sum over the epochs stays correct in
 * the meantime. Once all responses have moved, what is left of earlier epochs is drift: the current epoch becomes the
 * base, and earlier ones no longer count.
 */
import { type Opener, parsePathId, type Resources } from '#core/access/access.ts';
import { COUNT_SHARDS, type Key, keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Consistency, Item, Table, Write } from '#core/db/table.ts';
import { queueRecount } from '#core/jobs/recount.ts';
import type { ResponseProgress } from '#core/responses/model.ts';
import { countUpTo } from '#core/responses/store.ts';
import { TIMED_RESPONSES } from '#core/schema/limits.ts';
import { parseStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { chooseGroups } from './cells.ts';

/** What all counter items of a form have in common; every write of a counter is conditional on `epoch` and `base`. */
export type CounterState = {
  /** The current epoch, from 1. */
  epoch: number;
  /** The first epoch that counts; 0 until the first recount is complete. */
  base: number;
  /** Over how many groups the counters of answers are spread, by each epoch that counts. */
  groups: ReadonlyMap<number, number>;
};

/** The counters of a form, added up. */
export type Counters = {
  drafts: number;
  submitted: number;
  /**
   * How many changes of submitted responses were counted: submitted, edited, cancelled, deleted. If it is the same as
   * before, none has changed, apart from the last seconds.
   */
  changes: number;
  /** How many seconds respondents took for some of the newest submissions, separated by spaces. */
  seconds: string;
  /** Whether the responses that there were before the counters are included. */
  isComplete: boolean;
  /** The epochs that count, each with the number of its groups. */
  groups: ReadonlyMap<number, number>;
};

const shards = Array.from({ length: COUNT_SHARDS }, (_, shard) => shard);

/** Lists the keys of the counters of a form. */
export const counterKeys = (formId: string): Key[] => shards.map((shard) => keys.counters(formId, shard));

/** Parses the common state of a counter item. */
export const parseCounterState = ({ epoch, base, groups }: Item): CounterState => ({
  epoch: Number(epoch),
  base: Number(base),
  groups: new Map(Object.entries(groups ?? {}).map(([of, count]) => [Number(of), Number(count)])),
});

/** Names the attribute that holds a count: `3#DRAFT` or `3#SUBMITTED`. */
export const countAttribute = (epoch: number, counted: ResponseProgress): string => `${epoch}#${counted}`;

/** The attribute that counts the changes of submitted responses, in all epochs. */
export const CHANGES = 'changes';

/**
 * The attribute with how many seconds respondents took for the newest submissions that an item has counted. It is a sample: when two
 * workers update one item at the same time, the values of one are lost, and those of a deleted response stay until newer ones replace
 * them.
 */
export const SECONDS = 'seconds';
const MAX_SECONDS = TIMED_RESPONSES / COUNT_SHARDS;

/** Parses seconds that are separated by spaces. */
export const listSeconds = (text: string): number[] => text.split(' ').filter(Boolean).map(Number);

/** Adds the seconds of some submissions to those of a counter item; the newest are last, and stay. */
export const appendSeconds = (item: Item, seconds: readonly number[]): string =>
  [...listSeconds(String(item[SECONDS] ?? '')), ...seconds].slice(-MAX_SECONDS).join(' ');

/** A count in a counter item. */
export type Count = { attribute: string; epoch: number; counted: string; value: number };

/** Parses the counts of a counter item. */
export const parseCounts = (item: Item): Count[] =>
  Object.entries(item).flatMap(([attribute, value]) => {
    const [, epoch, counted] = /^(\d+)#(.+)$/.exec(attribute) ?? [];
    return counted === undefined ? [] : [{ attribute, epoch: Number(epoch), counted, value: Number(value) }];
  });

/**
 * Adds the counters of the form of `{formId}` to what an opener loads, read at the same time; for members only. They follow a change
 * within seconds anyway, so they are read eventually, for half the units.
 */
export const withCounters =
  <T extends Resources>(open: Opener<T>): Opener<T & { counters: Counters | undefined }> =>
  async (call) => {
    const formId = parsePathId(call.params, 'formId');
    const [opened, counters] = await Promise.all([open(call), loadCounters(call.app.table, formId, 'eventual')]);
    return { ...opened, resource: { ...opened.resource, counters } };
  };

/** Reads the counters of a form, one small item for each shard; undefined when it has none yet. */
export async function loadCounters(
  table: Table,
  formId: string,
  consistency: Consistency = 'strong',
): Promise<Counters | undefined> {
  const { items } = await table.list({ ...partitions.counters(formId), limit: COUNT_SHARDS, consistency });
  return parseCounters(items);
}

/** Adds up the counter items of a form; undefined for none. */
export function parseCounters(items: readonly (Item | undefined)[]): Counters | undefined {
  const totals = { DRAFT: 0, SUBMITTED: 0 };
  let changes = 0;
  const seconds: string[] = [];
  let state: CounterState | undefined;
  for (const item of items) {
    if (!item) continue;
    changes += Number(item[CHANGES] ?? 0);
    if (item[SECONDS] !== undefined) seconds.push(String(item[SECONDS]));
    state = parseCounterState(item);
    for (const { epoch, counted, value } of parseCounts(item)) {
      if (epoch < state.base) continue;
      if (counted === 'DRAFT' || counted === 'SUBMITTED') totals[counted] += value;
    }
  }
  return (
    state && {
      drafts: totals.DRAFT,
      submitted: totals.SUBMITTED,
      changes,
      seconds: seconds.join(' '),
      isComplete: state.base > 0,
      groups: state.groups,
    }
  );
}

/**
 * Creates the counters of a form and queues the count of the responses that it has. Does nothing when another worker
 * creates them, or the form was deleted.
 */
export async function createCounters(app: Pick<Ports, 'table' | 'now'>, formId: string): Promise<void> {
  const structure = parseStructure((await app.table.read([keys.formStructure(formId)]))[0]);
  if (!structure) return;
  const formExists: Write = { check: keys.formGate(formId), when: { absent: false } };
  const first = { epoch: 1, base: 0, groups: { 1: chooseGroups(structure) } };
  await wasWritten(app.table, [
    ...counterKeys(formId).map((key): Write => ({ put: { ...key, ...first }, when: { absent: true } })),
    queueRecount({ formId, epoch: 1, startedAt: app.now().toISOString(), phase: 'all' }, app.now()),
    formExists,
  ]);
}

/** Builds the writes that start the next epoch. */
export function nextEpoch(structure: Structure, { epoch, base, groups }: CounterState): Write[] {
  const counting = [...groups].filter(([of]) => of >= base);
  const next = Object.fromEntries([...counting, [epoch + 1, chooseGroups(structure)]]);
  return counterKeys(structure.formId).map((key) => ({
    update: key,
    set: { epoch: epoch + 1, groups: next },
    when: { equals: { epoch } },
  }));
}

// How many responses a form has. Up to 200 are counted directly, which is exact at once; more are read from the
// counters, which follow a change within seconds.

/** The largest number of responses that a request counts. */
export const MAX_COUNTED_DIRECTLY = 200;

/** `counting`: the counters are being built; there are at least as many responses. */
export type ResponseCounts = { draftCount: number; submittedCount: number; counting: boolean };

/** Counts the responses of a form with these counters. Looks at a bounded number of index entries. */
export async function countResponses(
  table: Table,
  formId: string,
  counters: Counters | undefined,
): Promise<ResponseCounts> {
  if (counters?.isComplete && counters.drafts + counters.submitted > MAX_COUNTED_DIRECTLY) {
    return { draftCount: counters.drafts, submittedCount: counters.submitted, counting: false };
  }
  const [drafts, submitted] = await Promise.all([
    countDirectly(table, formId, 'DRAFT'),
    countDirectly(table, formId, 'SUBMITTED'),
  ]);
  return {
    draftCount: drafts.isExact ? drafts.count : Math.max(drafts.count, counters?.drafts ?? 0),
    submittedCount: submitted.isExact ? submitted.count : Math.max(submitted.count, counters?.submitted ?? 0),
    counting: !(drafts.isExact && submitted.isExact) && !counters?.isComplete,
  };
}

/** A list counts so few responses of a form directly: one capacity unit for each progress. */
const MAX_COUNTED_IN_LIST = 20;

/**
 * Counts a form's responses for a list of forms, in one round trip: few of them directly, so that a new one is counted at
 * once, more by the counters. Only a form whose counters are being made waits for a second one.
 */
export async function countForList(table: Table, formId: string): Promise<ListCounts> {
  const [counters, drafts, submitted] = await Promise.all([
    loadCounters(table, formId),
    countUpTo(table, formId, 'DRAFT', MAX_COUNTED_IN_LIST + 1),
    countUpTo(table, formId, 'SUBMITTED', MAX_COUNTED_IN_LIST + 1),
  ]);
  const isFew = (count: number): boolean => count <= MAX_COUNTED_IN_LIST;
  if ((isFew(drafts) && isFew(submitted)) || counters?.isComplete) {
    return {
      drafts: isFew(drafts) ? drafts : Math.max(drafts, counters?.drafts ?? 0),
      submitted: isFew(submitted) ? submitted : Math.max(submitted, counters?.submitted ?? 0),
    };
  }
  const { draftCount, submittedCount } = await countResponses(table, formId, counters);
  return { drafts: draftCount, submitted: submittedCount };
}

/** How many forms of a list are counted directly at once: up to nine calls each. */
const MAX_PARALLEL_COUNTS = 4;

/**
 * Counts the responses of forms of a list from the counters that were read with them, which follow a change within seconds. A form
 * without counters has no response that was counted. Only while counters are being made are a form's responses counted by their
 * index entries, those of a few forms at once.
 */
export async function countAllForList(
  table: Table,
  forms: readonly { formId: string; counters: Counters | undefined }[],
): Promise<ListCounts[]> {
  const counts = forms.map(({ counters }) => (counters && !counters.isComplete ? undefined : pickCounts(counters)));
  const open = forms.flatMap(({ formId }, index) => (counts[index] ? [] : [{ formId, index }]));
  for (let at = 0; at < open.length; at += MAX_PARALLEL_COUNTS) {
    const some = open.slice(at, at + MAX_PARALLEL_COUNTS);
    await Promise.all(
      some.map(async ({ formId, index }) => {
        counts[index] = await countForList(table, formId);
      }),
    );
  }
  return counts.map(pickCounts);
}

type ListCounts = { drafts: number; submitted: number };
const pickCounts = ({ drafts, submitted }: ListCounts = { drafts: 0, submitted: 0 }): ListCounts => ({
  drafts,
  submitted,
});

/** Counts a form's responses with a progress; beyond 200 the number may be larger. */
export async function countDirectly(
  table: Table,
  formId: string,
  progress: ResponseProgress,
): Promise<{ count: number; isExact: boolean }> {
  const count = await countUpTo(table, formId, progress, MAX_COUNTED_DIRECTLY + 1);
  return { count, isExact: count <= MAX_COUNTED_DIRECTLY };
}
