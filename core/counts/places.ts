/**
 * Counts the places of a form with limits, as a job of the form.
 *
 * A limit that is younger than responses: submissions take places of it from the start, any number of them; the job takes a place for
 * each response that has none, and then switches the condition on. Places are taken before they are noted, so that an interruption
 * takes too many, which a comparison finds, and never too few.
 *
 * A comparison: a process that died between a place and its response leaves a place taken that nobody has. Nothing else changes the
 * places while they are as they were two minutes ago: requests of then have ended. The responses are counted after such a pause,
 * and after another one their number replaces the places, on the condition that nothing has changed. A response that was deleted for its
 * age keeps its places, which are counted beside.
 */
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Write } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { attemptEach, DONE, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { isUncounted, type PlacesCount, UNCOUNTED } from '#core/jobs/places.ts';
import type { Response } from '#core/responses/model.ts';
import { giveBackPlaces, type Limit, listLimits, listNeeded, readCounter, sumPlaces } from '#core/responses/places.ts';
import { loadResponses, notePlaces } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';

/** How long nothing must have changed: much longer than a request takes. */
const QUIET_SECONDS = 120;
/** The number of responses that are read at once. */
const BATCH = 100;
/** The number of responses whose places are noted at once. */
const PARALLEL = 10;
/** The number of batches in one step. */
const STEP_BATCHES = 20;
/** The time that one more batch may take. */
const BATCH_MS = 15_000;

/** One after the other, because each reads many responses. */
export const placeCounts = attemptEach({ claimSeconds: 300, parallel: 1, minMs: BATCH_MS, attempt });

/** The form of a job with its limits, and its places. */
type Counting = {
  formId: string;
  structure: Structure;
  limits: readonly Limit[];
  item: Item | undefined;
  /** The places of responses that were deleted for their age. */
  kept: Item | undefined;
};

const continueWith = (data: PlacesCount, seconds = 0): JobOutcome => ({ result: 'continue', data, seconds });

async function attempt(app: Ports, { key, data }: Job<PlacesCount>): Promise<JobOutcome> {
  const counting = await load(app, lastPart(key.pk));
  if (!counting) return DONE;
  const { item, kept, limits } = counting;
  // Both only grow: their sum is the same if both are.
  const writes = readCounter(item, 'writes') + readCounter(kept, 'writes');
  const counters = limits.map(({ counter }) => counter);
  switch (data.phase) {
    case 'count':
      return count(app, counting, data);
    case 'idle':
      return item?.compared === item?.writes ? DONE : continueWith({ phase: 'quiet' });
    case 'quiet':
      return data.writes === writes
        ? continueWith({ phase: 'walk', writes, counters })
        : continueWith({ phase: 'quiet', writes }, QUIET_SECONDS);
    case 'walk':
      return walk(app, counting, data);
    case 'settle': {
      const isSame = data.writes === writes && String(data.counters) === String(counters);
      const isCorrected = isSame && (await wasWritten(app.table, correct(app, counting, data)));
      return isCorrected ? DONE : continueWith({ phase: 'quiet' });
    }
  }
}

/** Reads the form of a job; undefined when it is being deleted, or has no limits any more. */
async function load({ table }: Ports, formKey: string): Promise<Counting | undefined> {
  const [gateItem, item, kept] = await table.read([
    keys.formGate(formKey),
    keys.places(formKey),
    keys.keptPlaces(formKey),
  ]);
  const gate = parseGate(gateItem);
  const cached = gate && (await loadStructure(table, gate.formId, gate.structureVersion));
  if (!cached) return undefined;
  const limits = listLimits({ gate, structure: cached.structure });
  return limits.length === 0 ? undefined : { formId: gate.formId, structure: cached.structure, limits, item, kept };
}

/** Takes places for responses that have none, some batches of them, and at the end switches the conditions on. */
async function count(app: Ports, counting: Counting, data: PlacesCount): Promise<JobOutcome> {
  const position = await eachBatch(app, counting, data, (responses) => takeMissing(app, counting, responses));
  if (position) return continueWith({ ...data, ...position });
  const { formId, limits, item } = counting;
  const [current] = await app.table.read([keys.places(formId)]);
  const uncounted = limits.map(({ counter }) => counter).filter((name) => isUncounted(Number(current?.[name] ?? 0)));
  // Counters of limits that are no more.
  const names = new Set(limits.map(({ counter }) => counter));
  const former = Object.keys(item ?? {}).filter((name) => /^(?:taken|c_)/.test(name) && !names.has(name));
  if (uncounted.length === 0) return continueWith({ phase: 'quiet' });
  await wasWritten(app.table, [
    {
      update: keys.places(formId),
      add: { writes: 1, ...Object.fromEntries(uncounted.map((name) => [name, -UNCOUNTED])) },
      unset: former,
      when: { absent: false, below: Object.fromEntries(uncounted.map((name) => [name, UNCOUNTED / 2])) },
    },
  ]);
  return continueWith({ phase: 'quiet' });
}

/** Counts the places of some batches of responses. One that lacks a place begins a count; its turn comes again after that. */
async function walk(app: Ports, counting: Counting, data: PlacesCount): Promise<JobOutcome> {
  const counts = new Map(Object.entries(data.counts ?? {}));
  let lacksPlaces = false;
  const position = await eachBatch(app, counting, data, async (responses) => {
    for (const response of responses) {
      if (listMissing(counting, response).length > 0) lacksPlaces = true;
      for (const name of response.places ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  if (lacksPlaces) return continueWith({ phase: 'count' });
  const next = { ...data, counts: Object.fromEntries(counts) };
  return position
    ? continueWith({ ...next, ...position })
    : continueWith({ ...next, phase: 'settle', partition: undefined, after: undefined }, QUIET_SECONDS);
}

/** Builds the writes that replace the places by what was counted, on the condition that nothing has changed since. */
function correct(app: Ports, { formId, limits, item, kept }: Counting, { counts = {} }: PlacesCount): Write[] {
  const writes = readCounter(item, 'writes');
  const found = limits.map(({ counter }) => ({
    counter,
    before: readCounter(item, counter),
    now: (counts[counter] ?? 0) + readCounter(kept, counter),
  }));
  const drift = found.filter(({ before, now }) => before !== now);
  if (drift.length > 0) app.log({ level: 'warn', placesDrift: drift.map(({ before, now }) => now - before), formId });
  return [
    {
      update: keys.places(formId),
      set: {
        ...Object.fromEntries(drift.map(({ counter, now }) => [counter, now])),
        writes: writes + 1,
        compared: writes + 1,
      },
      when: writes === 0 ? { absent: true } : { equals: { writes } },
    },
    {
      check: keys.keptPlaces(formId),
      when: kept ? { equals: { writes: readCounter(kept, 'writes') } } : { absent: true },
    },
  ];
}

/** Lists the limits in which a response needs a place and has none. */
const listMissing = ({ limits, structure }: Counting, response: Response): string[] => {
  const has = new Set(response.places);
  return listNeeded(response, limits, structure).filter((counter) => !has.has(counter));
};

/**
 * Takes the places that responses lack, and notes them. Those of responses that were changed meanwhile are given back, and taken again as
 * they are needed now.
 */
async function takeMissing(app: Ports, counting: Counting, responses: readonly Response[]): Promise<void> {
  const lacking = responses
    .map((response) => ({ response, missing: listMissing(counting, response) }))
    .filter(({ missing }) => missing.length > 0);
  for (let index = 0; index < lacking.length; index += PARALLEL) {
    const group = lacking.slice(index, index + PARALLEL);
    // Whatever the limit is: these responses are there.
    await app.table.write([
      {
        update: keys.places(counting.formId),
        add: {
          writes: 1,
          ...sumPlaces(
            group.flatMap(({ missing }) => missing),
            1,
          ),
        },
        when: { absent: false },
      },
    ]);
    const noted = await Promise.all(
      group.map(({ response, missing }) =>
        wasWritten(app.table, [notePlaces(response, [...(response.places ?? []), ...missing])]),
      ),
    );
    const changed = group.filter((_, place) => !noted[place]);
    if (changed.length === 0) continue;
    const notNeeded = changed.flatMap(({ missing }) => missing);
    await app.table.write([giveBackPlaces(counting.formId, notNeeded)], 'once').catch(() => undefined);
    await takeMissing(
      app,
      counting,
      await loadSubmitted(
        app,
        changed.map(({ response }) => response.id),
      ),
    );
  }
}

const loadSubmitted = async ({ table }: Ports, ids: readonly string[]): Promise<Response[]> =>
  (await loadResponses(table, ids)).filter(({ progress }) => progress === 'SUBMITTED');

type Position = Pick<PlacesCount, 'partition' | 'after'>;

/** Passes through some batches of the submitted responses; returns where to continue, undefined at the end. */
async function eachBatch(
  app: Ports,
  { formId }: Counting,
  { partition = 0, after }: Position,
  handle: (responses: Response[]) => Promise<void>,
): Promise<Position | undefined> {
  const shards = partitions.responsesOf(formId, 'SUBMITTED');
  let position = { partition, after };
  for (let batches = 0; position.partition < shards.length; batches += 1) {
    const shard = shards[position.partition];
    if (!shard) break;
    if (batches === STEP_BATCHES || remainingMs() < BATCH_MS) return position;
    // Each batch continues where the one before it ended.
    const batch = await app.table.list({ ...shard, after: position.after, limit: BATCH });
    const ids = [...new Set(batch.items.map(({ pk }) => lastPart(pk)))];
    await handle(await loadSubmitted(app, ids));
    position =
      batch.last === null
        ? { partition: position.partition + 1, after: undefined }
        : { partition: position.partition, after: batch.last };
  }
  return undefined;
}
