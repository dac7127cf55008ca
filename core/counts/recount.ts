/**
 * Counts the responses of a form again, in steps: with its first counters, and once a week, if something has changed, to
 * repair drift. A recount begins a new epoch of the counters and tallies every response in it. Responses that change
 * meanwhile are tallied by the worker `tally`.
 *
 * Each response is tallied in the new epoch: either it changes after the epoch began, then its stream record is handled
 * in that epoch; or it does not, then it stays in one partition of the index, where the pass finds it. An index can lack
 * an entry of the last seconds, so those that changed in the last minute are tallied once more, a minute later.
 */
import { change } from '#core/db/change.ts';
import { COUNT_SHARDS, formKey, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import type { Recount } from '#core/jobs/recount.ts';
import { listEntries } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { parseStructure } from '#core/structure/store.ts';
import { removeEarlierCells } from './answer-counters.ts';
import {
  type Count,
  type CounterState,
  counterKeys,
  loadCounters,
  nextEpoch,
  parseCounterState,
  parseCounts,
} from './counters.ts';
import { MAX_MOVES, tallyResponses } from './tally.ts';

const REPAIR_SECONDS = 7 * 24 * 60 * 60;
/** How much later the pass through recent responses begins, and how far back it goes. */
const SETTLED_SECONDS = 60;
/** The number of batches in one step; a batch is one transaction. */
const STEP_BATCHES = 20;
/** The time that one more batch may take. */
const BATCH_MS = 15_000;

/** One after the other, because each reads many responses. */
export const recounts = attemptEach({ claimSeconds: 120, parallel: 1, minMs: BATCH_MS, attempt });

const continueLater = (data: Recount, seconds = 0): JobOutcome => ({ result: 'continue', data, seconds });

async function attempt(app: Ports, { data }: Job<Recount>): Promise<JobOutcome> {
  const { formId, epoch, phase } = data;
  const [gateItem, item] = await app.table.read([keys.formGate(formId), keys.counters(formId, 0)]);
  // The form is being deleted, with its counters.
  if (!gateItem || !item) return DONE;
  const state = parseCounterState(item);
  if (phase === 'again')
    return (await isUnchanged(app, data)) ? continueLater(data, REPAIR_SECONDS) : beginEpoch(app, formId, state);
  // Another recount has begun and replaced this job.
  if (state.epoch !== epoch) return DONE;
  const next = await tallyBatches(app, data);
  if (next) return continueLater(next);
  // The first counts are shown as soon as there are any.
  if (phase === 'recent' || state.base === 0) await completeEpoch(app, formId, epoch);
  if (phase === 'recent') {
    logDrift(app, formId, await removeEarlierCells(app.table, formId, epoch));
    const changes = (await loadCounters(app.table, formId))?.changes ?? 0;
    return continueLater(
      { formId, epoch, startedAt: app.now().toISOString(), phase: 'again', changes },
      REPAIR_SECONDS,
    );
  }
  return continueLater({ formId, epoch, startedAt: data.startedAt, phase: 'recent' }, SETTLED_SECONDS);
}

/**
 * Whether no change was counted since the last recount, so that a form at rest costs nothing. The newest submission is
 * looked up too: if the worker `tally` gave up its stream record, it was not counted as a change.
 */
async function isUnchanged({ table }: Ports, { formId, startedAt, changes }: Recount): Promise<boolean> {
  const [counters, { entries }] = await Promise.all([
    loadCounters(table, formId),
    listEntries(table, formId, ['SUBMITTED'], { limit: 1, descending: true }),
  ]);
  return counters?.changes === changes && (entries[0]?.submittedAt ?? '') <= startedAt;
}

/** Begins the next epoch. */
async function beginEpoch({ table, now }: Ports, formId: string, state: CounterState): Promise<JobOutcome> {
  const structure = parseStructure((await table.read([keys.formStructure(formId)]))[0]);
  if (!structure) return DONE;
  const written = await wasWritten(table, nextEpoch(structure, state));
  if (!written) return { result: 'retry', reason: 'changed_meanwhile' };
  return continueLater({ formId, epoch: state.epoch + 1, startedAt: now().toISOString(), phase: 'all' });
}

/** Tallies some batches of responses; returns where to continue, undefined at the end. */
async function tallyBatches(app: Ports, data: Recount): Promise<Recount | undefined> {
  const since = data.phase === 'recent' ? timeAfter(new Date(data.startedAt), -SETTLED_SECONDS) : '';
  const drafts = partitions.responsesOf(data.formId, 'DRAFT');
  const allShards = [...drafts, ...partitions.responsesOf(data.formId, 'SUBMITTED')];
  // A cancelled response returns to its old place among the drafts, so recent changes can be anywhere there.
  const findStart = (partition: number) => (partition < drafts.length || since === '' ? undefined : since);
  let { partition = 0, after } = data;
  for (let batches = 0; partition < allShards.length; batches += 1) {
    if (batches === STEP_BATCHES || remainingMs() < BATCH_MS) return withPosition(data, partition, after);
    const shard = allShards[partition];
    if (!shard) break;
    // Each batch continues where the one before it ended.
    const batch = await app.table.list({ ...shard, after: after ?? findStart(partition), limit: MAX_MOVES });
    const changed = batch.items.filter(({ listedAt }) => String(listedAt) >= since);
    await tallyResponses(
      app,
      changed.map(({ pk }) => lastPart(pk)),
    );
    after = batch.last ?? undefined;
    if (batch.last === null) partition += 1;
  }
  return undefined;
}

const withPosition = ({ partition: _, after: __, ...data }: Recount, partition: number, after?: string): Recount => ({
  ...data,
  partition,
  ...(after === undefined ? {} : { after }),
});

/**
 * Makes an epoch the base, if it is still the current one, and drops the remaining counts of earlier ones. There are none
 * unless counters and tallies disagreed, which is logged.
 */
const completeEpoch = (app: Ports, formId: string, epoch: number): Promise<void> =>
  change(app, {
    reload: async () => (await app.table.read(counterKeys(formId))).filter((item) => item !== undefined),
    decide: (items) => {
      const states = items.map(parseCounterState);
      const base = states[0]?.base ?? 0;
      const isCurrent = items.length === COUNT_SHARDS && states.every((state) => state.epoch === epoch);
      if (!isCurrent || base === epoch) return { writes: [], result: undefined };
      const earlier = items.map((item) => parseCounts(item).filter((count) => count.epoch < epoch));
      const groups = Object.fromEntries([...(states[0]?.groups ?? [])].filter(([of]) => of >= epoch));
      return {
        writes: items.map(
          ({ pk, sk }, index): Write => ({
            update: { pk, sk },
            set: { base: epoch, groups },
            unset: (earlier[index] ?? []).map(({ attribute }) => attribute),
            when: { equals: { epoch, base } },
          }),
        ),
        result: undefined,
        onWritten: () => logDrift(app, formId, sumByCounted(earlier.flat().filter((count) => count.epoch >= base))),
      };
    },
  });

function logDrift(app: Ports, formId: string, drift: Record<string, number>): void {
  if (Object.keys(drift).length > 0) app.log({ level: 'warn', countDrift: drift, form: formKey(formId) });
}

/** Sums counts by what is counted, without zeros. */
function sumByCounted(counts: readonly Count[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { counted, value } of counts) sums.set(counted, (sums.get(counted) ?? 0) + value);
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
}
