/**
 * Counts the responses of a form again, in steps: with its first counters, after the highlighted question has changed,
 * and once a week, if something has changed, to repair drift. A recount begins a new epoch of the counters and tallies
 * every response in it. Responses that change meanwhile are tallied by the worker `tally`.
 *
 * Each response is tallied in the new epoch: either it changes after the epoch began, then its stream record is handled
 * in that epoch; or it does not, then it stays in one partition of the index, where the pass finds it. An index can lack
 * an entry of the last seconds, so those that changed in the last minute are looked at once more, a minute later.
 */
import { COUNT_SHARDS, formKey, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { untilWritten, wasWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { attemptEach, DONE, type Outcome } from '#core/jobs/attempt.ts';
import type { Delivery } from '#core/jobs/job.ts';
import { pageEntries } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { structureOf } from '#core/structure/store.ts';
import {
  type Count,
  type CounterState,
  counterKeys,
  counterStateOf,
  countsIn,
  highlightedIn,
  loadCounters,
  nextEpoch,
  type Recount,
} from './counters.ts';
import { MAX_MOVES, tallyResponses } from './tally.ts';

const REPAIR_SECONDS = 7 * 24 * 60 * 60;
/** How much later the pass through recent responses begins, and how far back it goes. */
const SETTLED_SECONDS = 60;
/** The number of pages in one step; a page is one transaction. */
const STEP_PAGES = 20;
/** The time that one more page may take. */
const PAGE_MS = 15_000;
/** The number of attributes that one write removes: DynamoDB limits the length of an expression. */
const MAX_REMOVED = 400;

/** One after the other, because each reads many responses. */
export const recounts = attemptEach({ claimSeconds: 120, parallel: 1, minMs: PAGE_MS, attempt });

const later = (data: Recount, seconds = 0): Outcome => ({ result: 'continue', data, seconds });

async function attempt(app: Ports, { data }: Delivery<Recount>): Promise<Outcome> {
  const { formId, epoch, phase } = data;
  const [gateItem, item] = await app.table.read([keys.formGate(formId), keys.counters(formId, 0)]);
  // The form is being deleted, with its counters.
  if (!gateItem || !item) return DONE;
  const state = counterStateOf(item);
  if (phase === 'again')
    return (await isUnchanged(app, data)) ? later(data, REPAIR_SECONDS) : begin(app, formId, state);
  // Another recount has begun and replaced this delivery.
  if (state.epoch !== epoch) return DONE;
  const next = await pass(app, data);
  if (next) return later(next);
  const isAwaited = state.base < state.asked;
  if (phase === 'recent' || isAwaited) await untilWritten(() => complete(app, formId, epoch));
  if (phase === 'recent') {
    const changes = (await loadCounters(app.table, formId))?.changes ?? 0;
    return later({ formId, epoch, startedAt: app.now().toISOString(), phase: 'again', changes }, REPAIR_SECONDS);
  }
  return later({ formId, epoch, startedAt: data.startedAt, phase: 'recent' }, SETTLED_SECONDS);
}

/**
 * Whether no change was counted since the last recount, so that a form at rest costs nothing. The newest submission is
 * looked up too: if the worker `tally` gave up its stream record, it was not counted as a change.
 */
async function isUnchanged({ table }: Ports, { formId, startedAt, changes }: Recount): Promise<boolean> {
  const [counters, { entries }] = await Promise.all([
    loadCounters(table, formId),
    pageEntries(table, formId, ['SUBMITTED'], { limit: 1, descending: true }),
  ]);
  return counters?.changes === changes && (entries[0]?.submittedAt ?? '') <= startedAt;
}

/** Begins the next epoch. */
async function begin({ table, now }: Ports, formId: string, state: CounterState): Promise<Outcome> {
  const structure = structureOf((await table.read([keys.formStructure(formId)]))[0]);
  const written = await wasWritten(table.write(nextEpoch(formId, state, structure && highlightedIn(structure))));
  if (!written) return { result: 'retry', reason: 'changed_meanwhile' };
  return later({ formId, epoch: state.epoch + 1, startedAt: now().toISOString(), phase: 'all' });
}

/** Tallies some pages of responses; returns where to continue, undefined at the end. */
async function pass(app: Ports, data: Recount): Promise<Recount | undefined> {
  const since = data.phase === 'recent' ? timeAfter(new Date(data.startedAt), -SETTLED_SECONDS) : '';
  const drafts = partitions.responsesOf(data.formId, 'DRAFT');
  const all = [...drafts, ...partitions.responsesOf(data.formId, 'SUBMITTED')];
  // A cancelled response returns to its old place among the drafts, so recent changes can be anywhere there.
  const startOf = (partition: number) => (partition < drafts.length || since === '' ? undefined : since);
  let { partition = 0, after } = data;
  for (let pages = 0; partition < all.length; pages += 1) {
    if (pages === STEP_PAGES || remainingMs() < PAGE_MS) return positioned(data, partition, after);
    const shard = all[partition];
    if (!shard) break;
    // Each page continues where the one before it ended.
    const page = await app.table.page({ ...shard, after: after ?? startOf(partition), limit: MAX_MOVES });
    const changed = page.items.filter(({ listedAt }) => String(listedAt) >= since);
    await tallyResponses(
      app,
      changed.map(({ pk }) => lastPart(pk)),
    );
    after = page.last ?? undefined;
    if (page.last === null) partition += 1;
  }
  return undefined;
}

const positioned = ({ partition: _, after: __, ...data }: Recount, partition: number, after?: string): Recount => ({
  ...data,
  partition,
  ...(after === undefined ? {} : { after }),
});

/**
 * Makes an epoch the base, if it is still the current one, and drops what is left of earlier ones. That is nothing
 * unless counters and tallies disagreed, which is logged.
 */
async function complete(app: Ports, formId: string, epoch: number): Promise<void> {
  const items = (await app.table.read(counterKeys(formId))).filter((item) => item !== undefined);
  const states = items.map(counterStateOf);
  if (items.length < COUNT_SHARDS || states.some((state) => state.epoch !== epoch)) return;
  const base = states[0]?.base ?? 0;
  if (base === epoch) return;
  const earlier = items.map((item) => countsIn(item).filter((count) => count.epoch < epoch));
  const writes = items.map(
    ({ pk, sk }, index): Write => ({
      update: { pk, sk },
      set: { base: epoch },
      unset: (earlier[index] ?? []).slice(0, MAX_REMOVED).map(({ attribute }) => attribute),
      when: { equals: { epoch, base } },
    }),
  );
  await app.table.write(writes);
  const drift = sumsOf(earlier.flat().filter((count) => count.epoch >= base));
  if (Object.keys(drift).length > 0) app.log({ level: 'warn', countDrift: drift, form: formKey(formId) });
}

/** Sums by what is counted, without zeros. */
function sumsOf(counts: readonly Count[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { counted, value } of counts) sums.set(counted, (sums.get(counted) ?? 0) + value);
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
}
