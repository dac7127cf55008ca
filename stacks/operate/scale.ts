/**
 * What happens when everybody answers one form at once: a simulation of ten minutes, second by second, in which ids choose
 * random shards. `docs/scale.md` has its results; `test/slow/scale.test.ts` counts the units of a submission on the real
 * handlers.
 */
import { workers } from '#core/api/workers.ts';
import { partitions } from '#core/db/keys.ts';
import { BURST_LIMIT, PARALLEL_BATCHES, RATE_LIMIT } from '../limits.ts';
import { ASSUMPTIONS, type Journey } from './bill.ts';
import { MEASURED } from './measured.ts';

/** Units that one submission to a form that mails a copy uses of partitions that all submissions to the form share. */
export const UNITS = {
  /** Reads of the gate of the form by the workers: for the mail, and for each batch that is counted. */
  gateReads: 1.2,
  /** Writes to a shard of the drafts: the start, and the submit, which removes the entry. */
  draftEntries: 2,
  /** Writes to a shard of the submissions. */
  submittedEntries: 1,
  /** Writes to a shard of what is due: queued, claimed (removed and added), done. */
  dueEntries: 4,
} as const;

/** What a stage may use each second. */
export type Limits = {
  requests: number;
  burst: number;
  /** Requests that functions handle at once. */
  functions: number;
  /** Write units of the table with its indexes. */
  tableWrites: number;
  /** Consistent reads of one item, and writes to one partition of an index. */
  gateReads: number;
  partitionWrites: number;
  responseShards: number;
  dueShards: number;
  mails: number;
  mailsADay: number;
};

/**
 * The settings of this repository, and the quotas of an account and of a new table for which only more functions were
 * requested.
 */
export const LIMITS: Limits = {
  requests: RATE_LIMIT,
  burst: BURST_LIMIT,
  functions: 1_000,
  tableWrites: 4_000,
  gateReads: 3_000,
  partitionWrites: 1_000,
  responseShards: partitions.responsesOf('', '').length,
  dueShards: partitions.due('main').length,
  mails: 14,
  mailsADay: 50_000,
};

/** Ids choose a shard by their last hexadecimal digit, so there can be as many. */
const DIGITS = 16;

/** What can be full, and how to raise it. */
const RAISE = {
  requests: ['`RATE_LIMIT` in `stacks/limits.ts`', (of) => ({ requests: 10 * of.requests, burst: 10 * of.burst })],
  functions: ['the quota of concurrent functions', (of) => ({ functions: 10 * of.functions })],
  tableWrites: ['the warm throughput of the table', (of) => ({ tableWrites: 10 * of.tableWrites })],
  gateReads: ['caching of the gate for a second', (of) => ({ gateReads: 10 * of.gateReads })],
  drafts: ['`RESPONSE_SHARDS`', () => ({ responseShards: DIGITS })],
  submissions: ['`RESPONSE_SHARDS`', () => ({ responseShards: DIGITS })],
  due: ['`DUE_SHARDS`', () => ({ dueShards: DIGITS })],
} as const satisfies Record<string, readonly [what: string, raise: (of: Limits) => Partial<Limits>]>;
type Cause = keyof typeof RAISE;

type Step = 'asset' | 'show' | 'read' | 'start' | 'save' | 'submit' | 'done';
const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);
/**
 * The requests of a person, one a second: a client of the API reads the form and its sections; a browser shows ten questions
 * in two sections and saves at each pause, as `test/browser/answering-cost.test.ts` counts.
 */
export const STEPS: Readonly<Record<Journey, readonly Step[]>> = {
  api: [...times(2, 'read'), 'start', ...times(3, 'save'), 'submit'],
  pages: [
    // The gate and the settings, for the number of sections.
    'read',
    ...times(4, 'asset'),
    'start',
    ...times(2, 'show'),
    ...times(4, 'save'),
    'show',
    ...times(4, 'save'),
    'show',
    'submit',
    'done',
  ],
};
/**
 * The read units that each step uses of the partition of the form, of its gate or its settings: eventually consistent where
 * it is only shown.
 */
export const FORM_READS: Readonly<Record<Step, number>> = {
  ...{ asset: 0, show: 0.5, read: 1, start: 1, save: 1, submit: 1, done: 1 },
};
const isWrite = (step: Step): boolean => step === 'start' || step === 'save' || step === 'submit';
/** The write units of a partition, of the table or of an index; DynamoDB places keys on them by a hash. */
const PARTITION_WRITES = 1_000;
const SECONDS = 600;
/** How long people who were refused wait on average. */
const RETRY_SECONDS = 10;
/** How long a run of `deliver` takes with a full batch. */
const RUN_SECONDS = 2;
/** How long mails are attempted. */
const ATTEMPTED_DAYS = 3;

export type Result = {
  /** People who began; those of them who submitted, were refused their first page, or have not finished at the end. */
  offered: number;
  submitted: number;
  turnedAway: number;
  underWay: number;
  /** Refused requests a second: with 429 by the API, with 503 by functions and storage. */
  tooMany: number;
  unavailable: number;
  /** How many requests each cause refused, and how many deliveries it delayed in each second. */
  causes: Readonly<Partial<Record<Cause, number>>>;
  /** How many seconds the worker `deliver` is behind the stream at the end. */
  lagSeconds: number;
  /** Mails that were not sent within the ten minutes, and how many of them will not be within 72 hours either. */
  mailsWaiting: number;
  mailsGivenUp: number;
};

/** A generator of numbers from 0 up to 1 (mulberry32), so that a simulation is repeatable. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Units that a person uses of a resource, by its position in the list of what remains of each. */
type Use = { cause: Cause; at: number; units: number };

/** The positions of resources: of the form, of the table, and then of the partitions of each index. */
const FORM_AT = 0;
const TABLE_AT = 1;
const INDEXES_AT = 2;
type List = 'drafts' | 'submissions' | 'due';

/**
 * Returns how many people fit into everything that they use, which is subtracted from what remains, and what limits the
 * others.
 */
function admit(
  people: number,
  uses: readonly Use[],
  left: Float64Array,
): { admitted: number; cause: Cause | undefined } {
  let [admitted, cause]: [number, Cause | undefined] = [people, undefined];
  for (const use of uses) {
    const room = Math.floor((left[use.at] ?? 0) / use.units);
    if (room < admitted) [admitted, cause] = [room, use.cause];
  }
  for (const { at, units } of uses) left[at] = (left[at] ?? 0) - admitted * units;
  return { admitted, cause };
}

/**
 * What the requests of each step use, and the worker for each submission, by the digit of its id. `place` chooses one of the
 * partitions of an index for a key.
 */
function listUses({ responseShards, dueShards }: Limits, journey: Journey, place: (index: 1 | 2) => number) {
  const steps = STEPS[journey];
  const perWrite = MEASURED.journeys[journey].writes / steps.filter(isWrite).length;
  const form = (units: number): Use => ({ cause: 'gateReads', at: FORM_AT, units });
  const writes = (units: number): Use => ({ cause: 'tableWrites', at: TABLE_AT, units });
  const placed: Record<List, number[]> = {
    drafts: Array.from({ length: responseShards }, () => place(2)),
    submissions: Array.from({ length: responseShards }, () => place(2)),
    due: Array.from({ length: dueShards }, () => place(1)),
  };
  return Array.from({ length: DIGITS }, (_, digit) => {
    const entry = (cause: List, units: number): Use => ({
      ...{ cause, at: placed[cause][digit % placed[cause].length] ?? 0, units },
    });
    const draft = entry('drafts', UNITS.draftEntries / 2);
    const further: Partial<Record<Step, Use[]>> = {
      start: [draft],
      submit: [draft, entry('submissions', UNITS.submittedEntries)],
    };
    return {
      steps: steps.map((step) => [
        ...(FORM_READS[step] > 0 ? [form(FORM_READS[step])] : []),
        ...(isWrite(step) ? [writes(perWrite)] : []),
        ...(further[step] ?? []),
      ]),
      deliver: [form(UNITS.gateReads), writes(MEASURED.workers.mail.writes), entry('due', UNITS.dueEntries)],
    };
  });
}

/**
 * Simulates ten minutes in which `rate` people a second begin to answer. Who is refused the first page goes away; who is
 * refused later tries again about ten seconds later.
 */
export function simulate(
  rate: number,
  { limits = LIMITS, journey = 'api', seed = 1 }: { limits?: Limits; journey?: Journey; seed?: number } = {},
): Result {
  const random = randomFrom(seed);
  const steps = STEPS[journey];
  const cells = steps.length * DIGITS;
  const causes: Partial<Record<Cause, number>> = {};
  const count = (cause: Cause | undefined, people: number): void => {
    if (cause && people > 0) causes[cause] = (causes[cause] ?? 0) + people;
  };
  const { gateReads, tableWrites, partitionWrites } = limits;
  const partitions = Math.max(1, Math.floor(tableWrites / PARTITION_WRITES));
  const capacity = Float64Array.from([
    gateReads,
    tableWrites,
    ...Array.from({ length: 2 * partitions }, () => partitionWrites),
  ]);
  const placeOf = randomFrom(seed);
  const uses = listUses(
    limits,
    journey,
    (index) => INDEXES_AT + (index - 1) * partitions + Math.floor(placeOf() * partitions),
  );
  const streamShards = Math.max(1, limits.tableWrites / PARTITION_WRITES);
  const runs = (streamShards * PARALLEL_BATCHES * workers.deliver.source.batchSize) / RUN_SECONDS;
  const nobody = () => steps.map(() => Array.from({ length: DIGITS }, () => 0));
  // Those who send a request now, and those who were refused before; both by step and digit.
  const refused = nobody();
  let people = nobody();
  let waiting: { since: number; digit: number; people: number }[] = [];
  let [tokens, submitted, turnedAway, tooMany, unavailable, mails] = [limits.burst, 0, 0, 0, 0, 0];
  // Ids of many people are drawn together.
  const group = Math.max(1, rate / 1_000);
  for (let now = 0; now < SECONDS; now += 1) {
    const left = capacity.slice();
    for (let person = 0; person < rate; person += group) add(people[0], Math.floor(random() * DIGITS), group);
    for (const [index, digits] of refused.entries()) {
      for (const [digit, all] of digits.entries()) {
        const again = share(all, 1 / RETRY_SECONDS, random());
        add(digits, digit, -again);
        add(people[index], digit, again);
      }
    }
    const requests = people.flat().reduce((sum, each) => sum + each, 0);
    tokens = Math.min(limits.burst, tokens + limits.requests);
    const passed = Math.min(1, tokens / requests);
    const handled = Math.min(1, (limits.functions * 1_000) / ASSUMPTIONS.requestMs / (requests * passed));
    tokens -= requests * passed;
    const next = nobody();
    // In another order each second: 37 and the number of cells have no common divisor.
    const first = Math.floor(random() * cells);
    for (let cell = 0; cell < cells; cell += 1) {
      const chosen = (first + 37 * cell) % cells;
      const [index, digit] = [Math.floor(chosen / DIGITS), chosen % DIGITS];
      const sent = people[index]?.[digit] ?? 0;
      const received = share(sent, passed, random());
      const begun = share(received, handled, random());
      const { admitted, cause } = admit(begun, uses[digit]?.steps[index] ?? [], left);
      tooMany += sent - received;
      unavailable += received - admitted;
      count('requests', sent - received);
      count('functions', received - begun);
      count(cause, begun - admitted);
      if (index === 0) turnedAway += sent - admitted;
      else add(refused[index], digit, sent - admitted);
      add(next[index + 1], digit, admitted);
      if (steps[index] !== 'submit') continue;
      waiting.push({ since: now, digit, people: admitted });
      submitted += admitted;
    }
    people = next;
    let room = Math.floor(runs);
    for (const each of waiting) {
      const wanted = Math.min(room, each.people);
      const { admitted, cause } = admit(wanted, uses[each.digit]?.deliver ?? [], left);
      count(cause, wanted - admitted);
      each.people -= admitted;
      room -= admitted;
      mails += admitted;
    }
    waiting = waiting.filter((each) => each.people > 0);
    mails = Math.max(0, mails - limits.mails);
  }
  const queued = waiting.reduce((sum, each) => sum + each.people, 0);
  const mailsWaiting = mails + queued;
  return {
    ...{ offered: rate * SECONDS, submitted, turnedAway, causes, mailsWaiting },
    ...{ tooMany: tooMany / SECONDS, unavailable: unavailable / SECONDS },
    // Who has submitted may still read what comes after it.
    underWay: [people, refused]
      .flatMap((all) => all.slice(0, steps.indexOf('submit') + 1))
      .flat()
      .reduce((sum, each) => sum + each, 0),
    lagSeconds: waiting[0] ? SECONDS - waiting[0].since : 0,
    mailsGivenUp: Math.max(0, mailsWaiting - ATTEMPTED_DAYS * limits.mailsADay),
  };
}

const add = (cells: number[] | undefined, index: number, people: number): void => {
  if (cells) cells[index] = (cells[index] ?? 0) + people;
};

/** A part of some people, in whole people. */
const share = (people: number, part: number, random: number): number =>
  Math.floor(people * part + (part < 1 ? random : 0));

/** A cause counts if it refuses or delays more than this part of all people. */
const NEGLIGIBLE = 0.001;

/** The cause that refuses most requests, or delays most deliveries while hardly any request is refused. */
function fullest({ causes, offered }: Result): Cause | undefined {
  const isDelay = (cause: string): boolean => cause === 'due';
  const [most] = Object.entries(causes)
    .filter(([, people]) => people > NEGLIGIBLE * offered)
    .toSorted(([a, refused], [b, others]) => Number(isDelay(a)) - Number(isDelay(b)) || others - refused);
  return most?.[0] as Cause | undefined;
}

/** A simulation with what was raised before it. */
type Run = { raised: string; result: Result };

/** Simulates a rate, raises what is fullest, and repeats until nothing is full, or it cannot be raised. */
export function raiseUntilAccepted(rate: number, journey: Journey): Run[] {
  const runs: Run[] = [];
  let limits = LIMITS;
  let raised = 'nothing';
  for (;;) {
    const result = simulate(rate, { limits, journey });
    runs.push({ raised, result });
    const full = fullest(result);
    if (!full) return runs;
    const [what, raise] = RAISE[full];
    const next = { ...limits, ...raise(limits) };
    if (JSON.stringify(next) === JSON.stringify(limits)) return runs;
    [limits, raised] = [next, what];
  }
}

const RATES = [10, 1_000, 10_000];
const NAMES: Readonly<Record<Journey, string>> = { api: 'API', pages: 'pages' };
/** Above this rate, only the first and the last simulation are shown. */
const SHOWN_RATE = 1_000;

/** The table of `docs/scale.md`. */
export const scaleTable = (): string =>
  [
    '| People a second | By | Raised | Submitted | Turned away | 429 a second | 503 a second | Worker behind | Mails waiting | … given up after 72 hours |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...RATES.flatMap((rate) => [...scaleRows(rate, 'api'), ...scaleRows(rate, 'pages')]),
  ].join('\n');

function scaleRows(rate: number, journey: Journey): string[] {
  const runs = raiseUntilAccepted(rate, journey);
  const [first, last] = [runs[0], runs.at(-1)];
  const shown = rate > SHOWN_RATE && first && last ? [first, { ...last, raised: 'everything, in turn' }] : runs;
  return shown.map(({ raised, result }) => {
    const percent = (people: number): string => `${Math.round((100 * people) / result.offered)} %`;
    const whole = (amount: number): string => Math.round(amount).toLocaleString('en');
    const { submitted, turnedAway, tooMany, unavailable, lagSeconds, mailsWaiting, mailsGivenUp } = result;
    const shares = [percent(submitted), percent(turnedAway), whole(tooMany), whole(unavailable)];
    const work = [`${lagSeconds} s`, whole(mailsWaiting), whole(mailsGivenUp)];
    return `| ${[whole(rate), NAMES[journey], raised, ...shares, ...work].join(' | ')} |`;
  });
}

/**
 * How many submissions a second the index takes of one form: the median of many placements of its lists of drafts and of
 * submissions on the partitions of a new table, since the fullest partition limits all.
 */
function medianSubmissions({ tableWrites, responseShards, partitionWrites }: Limits): number {
  const random = randomFrom(1);
  const partitions = tableWrites / PARTITION_WRITES;
  const rates = Array.from({ length: 2_001 }, () => {
    const load = Array.from({ length: partitions }, () => 0);
    for (const units of [UNITS.draftEntries, UNITS.submittedEntries]) {
      for (let shard = 0; shard < responseShards; shard += 1) {
        const at = Math.floor(random() * partitions);
        load[at] = (load[at] ?? 0) + units / responseShards;
      }
    }
    return partitionWrites / Math.max(...load);
  });
  return rates.sort((a, b) => a - b)[1_000] ?? 0;
}

/** The rows of the table of capacity in `docs/costs.md` that follow from the limits. */
export function capacityTable(): string {
  const { requests, burst, partitionWrites, responseShards, dueShards } = LIMITS;
  const whole = (amount: number): string => Math.floor(amount).toLocaleString('en');
  const perShard = (units: number): number => partitionWrites / units;
  const due = whole(dueShards * perShard(UNITS.dueEntries));
  return [
    '| Limit | Now | Growth path |',
    '|---|---|---|',
    `| requests a second | ${whole(requests)}, bursts of ${whole(burst)} (\`RATE_LIMIT\`); beyond them 429 | raise both with the account's quota of 10,000 |`,
    `| submissions to one form | about ${whole(medianSubmissions(LIMITS))} a second: its lists of drafts and of submissions have ${responseShards} parts each (\`RESPONSE_SHARDS\`), which lie on the partitions of the index by chance | warm the table, and raise the shards, up to ${DIGITS}; readers query all shards |`,
    `| mails that are queued | ${due} a second: what is due is in ${dueShards} partitions (\`DUE_SHARDS\`) | raise it, up to ${DIGITS}; readers query all shards |`,
  ].join('\n');
}
