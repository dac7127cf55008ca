/**
 * What was measured of the real handlers; `test/slow/measured.test.ts` and `test/slow/feature-costs.test.ts` measure again, and fail when
 * it differs.
 */
import type { Measurements } from './bill.ts';
import type { FeatureCosts, Use } from './features.ts';

export const MEASURED: Measurements = {
  journeys: {
    api: { requests: 7, reads: 15.25, writes: 16 },
    // By `test/browser/answering-cost.test.ts`.
    pages: { requests: 20, reads: 30.5, writes: 22 },
  },
  workers: {
    plain: { runs: 2, reads: 3.2, writes: 2.3 },
    mail: { runs: 4, reads: 11.2, writes: 13.3 },
  },
  guest: { reads: -0.25, writes: 1 },
  invitation: { reads: 19.5, writes: 13.5 },
  addressed: { requests: 7, runs: 4, reads: 29.8, writes: 18 },
  lineBytes: 227,
  idleMinute: { reads: 2.5, writes: 0, runs: 2, memoryGb: 2.2275390625 },
};

/** A request to a warm function: sequential round trips to storage, calls to the table, and its capacity units. */
export type MeasuredRequest = [request: string, roundTrips: number, calls: number, capacityUnits: number];

/** Of a form with ten questions. */
export const MEASURED_REQUESTS: readonly MeasuredRequest[] = [
  ['start', 2, 3, 4.5],
  ['save', 2, 2, 5],
  ['submit', 2, 2, 8],
  ['submit to a form that mails a copy', 2, 2, 14],
  ['submit to a form that mails a copy and adds a row', 2, 2, 17],
  ['start with answers and `submit`', 2, 3, 6.5],
  ['the same with `Idempotency-Key`', 2, 4, 12.5],
  ['complete two uploads (with S3)', 3, 3, 21],
  ['list of 50 responses of a form with 10 responses', 2, 18, 11],
  ['highlight of a form with 10 responses', 4, 12, 12.5],
  ['distinct answers to a choice question of a form with 10 responses', 3, 7, 15.5],
  ['statistics of two choice questions of a form with 10 responses', 3, 19, 15.5],
  ['list of 50 responses of a form with 1,000 responses', 1, 10, 15],
  ['highlight of a form with 1,000 responses', 2, 4, 4],
  ['distinct answers to a choice question of a form with 1,000 responses', 2, 3, 4],
  ['statistics of two choice questions of a form with 1,000 responses', 2, 7, 5],
];

/** The table of `docs/costs.md`. */
export const requestTable = (): string =>
  [
    '| Request | Round trips | Calls | Capacity |',
    '|---|---|---|---|',
    ...MEASURED_REQUESTS.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');

const use = (reads: number, writes: number, others: Partial<Use> = {}): Use => ({
  ...{ reads, writes, mails: 0, puts: 0, gets: 0 },
  ...others,
});

/** Each piece of work of `features.ts`. */
export const FEATURE_COSTS: FeatureCosts = {
  places: { without: use(9, 14.3), with: use(9.1, 15.3) },
  comparison: { without: use(10, 0), with: use(1_081.5, 33) },
  retention: { without: use(0.1, 0), with: use(24.2, 32.1, { puts: 2 }) },
  drafts: { without: use(0.1, 0), with: use(20.5, 27.1, { puts: 2 }) },
  soon: { without: use(87, 130), with: use(123, 169, { mails: 1 }) },
  daily: { without: use(940, 1_300), with: use(1_077, 1_529, { mails: 1 }) },
  pending: { without: use(20.5, 25), with: use(19, 23) },
  count: { without: use(642.5, 0), with: use(2_105, 21, { puts: 1, gets: 2 }) },
  zip: {
    without: use(127.5, 34, { mails: 1, puts: 3 }),
    with: use(127.5, 34, { mails: 1, puts: 3, gets: 200 }),
  },
};
