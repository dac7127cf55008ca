/**
 * The estimated monthly bill of a stage, from measured capacity units (`measured.ts`) and public list prices. Taxes,
 * support and free tiers are left out.
 */

/** List prices in US dollars for eu-central-1 (Frankfurt), on demand, arm64, as published in November 2025. */
export const PRICES = {
  region: 'eu-central-1',
  asOf: '2025-11',
  dynamoWrites: 0.7625 / 1e6,
  dynamoReads: 0.1525 / 1e6,
  dynamoStorageGb: 0.306,
  dynamoBackupGb: 0.2448,
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.000_013_333_4,
  schedulerInvocation: 1 / 1e6,
  apiRequest: 1.2 / 1e6,
  s3StorageGb: 0.0245,
  s3Write: 0.0054 / 1e3,
  s3Read: 0.000_43 / 1e3,
  sesMail: 0.1 / 1e3,
  logsGb: 0.63,
  logsStorageGb: 0.0324,
  transferGb: 0.09,
  metric: 0.3,
  alarm: 0.1,
} as const;

/** Capacity units by kind. */
export type Units = { reads: number; writes: number };

/** How a response comes: from a client of the API, or from a browser at a human pace. */
export type Journey = 'api' | 'pages';

/** What was measured of one submission, and of the workers when nothing happens. */
export type Measurements = {
  /** All requests of a respondent, until the response is submitted. */
  journeys: Record<Journey, Units & { requests: number }>;
  /**
   * What workers do after a submission, of a form that mails a copy or does not; their runs for one that arrives alone, in
   * batches there are fewer.
   */
  workers: Record<'plain' | 'mail', Units & { runs: number }>;
  /** What somebody without an account uses more than somebody with one, with the workers: fewer reads, as no account is read. */
  guest: Units;
  /** A mail with an invitation, with its share of a sending. */
  invitation: Units;
  /**
   * What somebody who confirms an address uses more than somebody with an account, with the mail of the link and the workers: the requests
   * of the pages until the first one of the form, and a response by the API.
   */
  addressed: Units & { requests: number; runs: number };
  /** Bytes of the log line of a request or a run. */
  lineBytes: number;
  /** One run of every scheduled worker without work, each minute, with the memory of all of them. */
  idleMinute: Units & { runs: number; memoryGb: number };
};

/** What is assumed and cannot be measured here. */
export const ASSUMPTIONS = {
  /** Requests of reviewers, editors and sign-ins for each submission, with the units of one page of a list. */
  otherRequests: 2,
  otherUnits: { reads: 10, writes: 0.5 },
  /** Read units of the item of a guest with an address, in each request. */
  guestReads: 1,
  /** Milliseconds that a request and a run of a worker take, with their share of cold starts. */
  requestMs: 60,
  workerMs: 100,
  memoryGb: 0.5,
  /** The part of submissions with a file, and the size of one. */
  withFile: 0.1,
  fileBytes: 1e6,
  /** What a submission leaves in the table and its indexes, with DynamoDB's own 100 bytes for each item. */
  storedBytes: 4_000,
  /** How long data is kept; the storage is that of a service that has run for this long. */
  keptMonths: 12,
  logMonths: 1,
  /** Lines of the platform and of the access log for each request. */
  platformLogBytes: 900,
  responseBytes: 4_000,
  /** The number of failed jobs; everything else that is watched is a metric of AWS. */
  ownMetrics: 1,
  /** One of them has two metrics, which counts twice. */
  alarms: 24,
} as const;

const MINUTES_A_MONTH = 43_800;
const GB = 1e9;

type BillLine = { item: string; dollars: number };

/** A month: how many submissions, how they come, whether respondents get a copy by mail, and of which kind they are if they are guests. */
export type Month = { submissions: number; journey: Journey; mails: boolean; guests?: 'ANYONE' | 'EMAIL' };

/** What a guest uses more than somebody with an account. */
function guestUnits(
  { guest, addressed, journeys }: Measurements,
  { journey, guests }: { journey: Journey; guests: Month['guests'] },
): Measurements['addressed'] {
  const none = { requests: 0, runs: 0 };
  if (guests === undefined) return { ...none, reads: 0, writes: 0 };
  if (guests === 'ANYONE') return { ...none, ...guest };
  const furtherReads = (journeys[journey].requests - journeys.api.requests) * ASSUMPTIONS.guestReads;
  return { ...addressed, reads: addressed.reads + furtherReads };
}

/** The bill of a month, by item. */
export function estimateBill({ submissions, journey, mails, guests }: Month, measured: Measurements): BillLine[] {
  const a = ASSUMPTIONS;
  const p = PRICES;
  const answering = measured.journeys[journey];
  const afterwards = measured.workers[mails ? 'mail' : 'plain'];
  const more = guestUnits(measured, { journey, guests });
  const requests = submissions * (answering.requests + more.requests + a.otherRequests);
  // Beyond one submission a second, workers handle batches.
  const batch = Math.max(1, submissions / MINUTES_A_MONTH / 60);
  const idleRuns = MINUTES_A_MONTH * measured.idleMinute.runs;
  const busyRuns = (submissions * (afterwards.runs + more.runs)) / batch;
  const runs = busyRuns + idleRuns;
  const units = (kind: 'reads' | 'writes'): number =>
    submissions * (answering[kind] + afterwards[kind] + more[kind] + a.otherRequests * a.otherUnits[kind]) +
    MINUTES_A_MONTH * measured.idleMinute[kind];
  const tableGb = (submissions * a.keptMonths * a.storedBytes) / GB;
  const fileGb = (submissions * a.keptMonths * a.withFile * a.fileBytes) / GB;
  const logGb = ((requests + runs) * (measured.lineBytes + a.platformLogBytes)) / GB;
  const busyMs = requests * a.requestMs + busyRuns * a.workerMs;
  const gbSeconds = (busyMs * a.memoryGb + MINUTES_A_MONTH * a.workerMs * measured.idleMinute.memoryGb) / 1_000;
  return [
    { item: 'DynamoDB reads and writes', dollars: units('reads') * p.dynamoReads + units('writes') * p.dynamoWrites },
    { item: 'DynamoDB storage and backups', dollars: tableGb * (p.dynamoStorageGb + p.dynamoBackupGb) },
    { item: 'Lambda', dollars: (requests + runs) * p.lambdaRequest + gbSeconds * p.lambdaGbSecond },
    { item: 'EventBridge Scheduler', dollars: idleRuns * p.schedulerInvocation },
    { item: 'API Gateway', dollars: requests * p.apiRequest },
    {
      item: 'S3',
      dollars: fileGb * p.s3StorageGb + submissions * a.withFile * (p.s3Write + 3 * p.s3Read),
    },
    { item: 'SES', dollars: submissions * ((mails ? 1 : 0) + (guests === 'EMAIL' ? 1 : 0)) * p.sesMail },
    {
      item: 'CloudWatch logs',
      dollars: logGb * (p.logsGb + a.logMonths * p.logsStorageGb),
    },
    {
      item: 'CloudWatch metrics and alarms',
      dollars: a.ownMetrics * p.metric + a.alarms * p.alarm,
    },
    { item: 'Data transfer', dollars: ((requests * a.responseBytes) / GB + fileGb / a.keptMonths) * p.transferGb },
  ];
}

const MONTHS: readonly Month[] = [
  { submissions: 1_000, journey: 'pages', mails: true },
  { submissions: 100_000, journey: 'api', mails: false },
  { submissions: 100_000, journey: 'pages', mails: false },
  { submissions: 100_000, journey: 'pages', mails: true },
  { submissions: 100_000, journey: 'pages', mails: false, guests: 'EMAIL' },
  { submissions: 1_000_000, journey: 'pages', mails: false, guests: 'ANYONE' },
  { submissions: 10_000_000, journey: 'pages', mails: true },
];

const GUESTS = { ANYONE: ', a poll without accounts', EMAIL: ', each with a confirmed address' } as const;
const JOURNEYS = { api: 'the API', pages: 'pages' } as const;

const dollarsText = (amount: number): string =>
  amount < 100 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en');

/** The table of `docs/costs.md`: the bill for some months. */
export function billTable(measured: Measurements): string {
  const bills = MONTHS.map((month) => estimateBill(month, measured));
  const items = bills[0]?.map(({ item }) => item) ?? [];
  const rows = items.map((item, index) => [item, bills.map((bill) => bill[index]?.dollars ?? 0)] as const);
  const total = bills.map((bill) => bill.reduce((sum, { dollars }) => sum + dollars, 0));
  const heads = MONTHS.map(
    ({ submissions, journey, mails, guests }) =>
      `${submissions.toLocaleString('en')} by ${JOURNEYS[journey]}${mails ? ', with a mail' : ''}${guests ? GUESTS[guests] : ''}`,
  );
  const describe = (journey: Journey): string => {
    const { requests, reads, writes } = measured.journeys[journey];
    return `${requests} requests, ${reads} read and ${writes} write units`;
  };
  const { guest, addressed, invitation } = measured;
  return [
    `A response by the API takes ${describe('api')}; by pages ${describe('pages')}; somebody without an account uses ${guest.writes} write unit more and ${-guest.reads} read units less; somebody who confirms an address first ${addressed.requests} requests, ${addressed.reads} read and ${addressed.writes} write units more, with the mail of the link. A mail with an invitation takes ${invitation.reads} read and ${invitation.writes} write units, in a sending to 45 guests. Prices of ${PRICES.region} as of ${PRICES.asOf}; data kept for ${ASSUMPTIONS.keptMonths} months.`,
    '',
    `| Submissions a month | ${heads.join(' | ')} |`,
    `|---|${MONTHS.map(() => '---').join('|')}|`,
    ...[...rows, ['Total', total] as const].map(
      ([item, amounts]) => `| ${item} | ${amounts.map(dollarsText).join(' | ')} |`,
    ),
  ].join('\n');
}
