/**
 * What the features for collecting and reviewing cost beside the same work without them: capacity units as measured
 * (`FEATURE_COSTS` in `measured.ts`), multiplied with public prices for a stated load.
 */
import { ASSUMPTIONS, PRICES, type Units } from './bill.ts';

/** What a piece of work uses: capacity units, mails, and requests to the bucket that write or read an object. */
export type Use = Units & { mails: number; puts: number; gets: number };

/** The name of a feature, as in the table. */
export type FeatureName =
  | 'places'
  | 'comparison'
  | 'retention'
  | 'drafts'
  | 'soon'
  | 'daily'
  | 'pending'
  | 'count'
  | 'zip';

/** What a piece of work uses without a feature, and with it. */
export type FeatureCosts = Readonly<Record<FeatureName, { without: Use; with: Use }>>;

const GB = 1e9;

/**
 * A load of a month. `work`: the piece of it that is measured; `times`: how many of them a month has; `months`: for how long their
 * responses are stored, without and with the feature; 0 where it changes nothing.
 */
type Load = { feature: string; work: string; times: number; months?: readonly [without: number, with_: number] };

const LOADS: Readonly<Record<FeatureName, Load>> = {
  places: {
    feature: 'cap and places',
    work: 'a submission to a form with a cap, which takes a place of a choice',
    times: 10_000,
  },
  comparison: { feature: 'the same', work: 'the comparison of a day, of 1,000 responses', times: 30 },
  retention: {
    feature: 'retention, 90 days',
    work: 'a submitted response that is deleted for its age',
    times: 10_000,
    months: [ASSUMPTIONS.keptMonths, 3],
  },
  drafts: {
    feature: 'expiry of drafts, 30 days',
    work: 'a draft that is deleted for its age',
    times: 10_000,
    months: [ASSUMPTIONS.keptMonths, 1],
  },
  soon: { feature: 'notices, soon', work: 'ten submissions in five minutes, one reader', times: 1_000 },
  daily: { feature: 'notices, daily', work: '100 submissions in a day, one reader', times: 30 },
  pending: {
    feature: 'pending edits',
    work: 'a change that leads to a required question, by pages; without it: withdrawn, changed, submitted again',
    times: 1_000,
  },
  count: {
    feature: 'count over everything',
    work: 'statistics of a filter over 2,000 responses; without it: of the newest 1,000',
    times: 100,
  },
  zip: {
    feature: 'files as ZIP',
    work: 'an export of 100 responses with a file each; without it: as XLSX',
    times: 100,
  },
};

/** The names of the features, in the order of the table. */
export const FEATURE_NAMES = Object.keys(LOADS) as readonly FeatureName[];

/** The price of some pieces of work in US dollars, with the storage of a response each for some months. */
const dollars = ({ reads, writes, mails, puts, gets }: Use, times: number, months: number): number =>
  times *
  (reads * PRICES.dynamoReads +
    writes * PRICES.dynamoWrites +
    mails * PRICES.sesMail +
    puts * PRICES.s3Write +
    gets * PRICES.s3Read +
    (months * ASSUMPTIONS.storedBytes * (PRICES.dynamoStorageGb + PRICES.dynamoBackupGb)) / GB);

const amount = (number: number): string => number.toLocaleString('en', { maximumFractionDigits: 1 });
const price = (number: number): string => (number < 0.1 ? String(Number(number.toPrecision(2))) : number.toFixed(2));

/** Describes what a piece of work uses: read and write units, mails, and requests to the bucket. */
function describe({ reads, writes, mails, puts, gets }: Use): string {
  const requests = puts + gets;
  return [
    `${amount(reads)} / ${amount(writes)}`,
    ...(mails > 0 ? [`${amount(mails)} mail`] : []),
    ...(requests > 0 ? [`${amount(requests)} to S3`] : []),
  ].join(', ');
}

/** The table of `docs/costs.md`. */
export function featureTable(costs: FeatureCosts): string {
  const rows = FEATURE_NAMES.map((name) => {
    const { feature, work, times, months: [before, after] = [0, 0] } = LOADS[name];
    const { without, with: used } = costs[name];
    const prices = [dollars(without, times, before), dollars(used, times, after)].map(price);
    return [feature, work, describe(without), describe(used), amount(times), ...prices];
  });
  return [
    '| Feature | Work | Read / write units without it | with it | Times a month | $ without | $ with |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}
