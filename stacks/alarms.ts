/**
 * The alarms of a stage as data. Each metric costs money, so there is one only for what operators would otherwise notice too
 * late. Each has a line of the runbook, which is sent with the notification: what it means, and what to do first.
 * `docs/operate/runbook.md` explains more, with a table that is generated from here.
 */
import type { WorkerSource } from '#core/api/workers.ts';

/** What a metric belongs to; the deployment fills in the name of the resource. */
type AlarmTarget = 'account' | 'api' | 'table' | 'table and indexes' | 'worker' | 'mapping' | 'logs';

export type Alarm = {
  /** `ApiErrors`; an alarm on workers exists once for each. */
  name: string;
  target: AlarmTarget;
  namespace: string;
  metric: string;
  /** Divided by this metric, as a percentage. */
  per?: string;
  statistic: 'Sum' | 'Maximum' | 'Average' | 'p99';
  periodSeconds: number;
  /** The number of consecutive periods. */
  periods: number;
  threshold: number;
  comparison: 'above' | 'below';
  /** Only workers of the stream, those that a schedule invokes every minute, or those of events of mails. */
  only?: 'stream' | 'every minute' | 'mail events';
  runbook: string;
};

const MINUTE = 60;
const FIVE_MINUTES = 300;

export const ALARMS: readonly Alarm[] = [
  {
    name: 'ApiErrors',
    target: 'api',
    namespace: 'AWS/ApiGateway',
    metric: '5xx',
    per: 'Count',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 2,
    threshold: 1,
    comparison: 'above',
    runbook:
      'More than 1 % of requests fail. In the logs of the API find the httpMethod and routeKey with status 5xx, then the error lines of its function; if a deployment came before, roll back.',
  },
  {
    name: 'ApiLatency',
    target: 'api',
    namespace: 'AWS/ApiGateway',
    metric: 'Latency',
    statistic: 'p99',
    periodSeconds: FIVE_MINUTES,
    periods: 3,
    threshold: 3_000,
    comparison: 'above',
    runbook:
      'The slowest 1 % of requests take longer than 3 s. Look at durationMs and coldStart by operation in the logs, then at throttled storage in the metrics of the table.',
  },
  {
    name: 'LambdaThrottles',
    target: 'account',
    namespace: 'AWS/Lambda',
    metric: 'Throttles',
    statistic: 'Sum',
    periodSeconds: MINUTE,
    periods: 3,
    threshold: 0,
    comparison: 'above',
    runbook:
      'The account has reached its limit of concurrent functions and refuses requests. Request a higher quota of concurrent executions; look for a client that repeats requests.',
  },
  {
    name: 'LambdaErrors',
    target: 'account',
    namespace: 'AWS/Lambda',
    metric: 'Errors',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 1,
    threshold: 5,
    comparison: 'above',
    runbook:
      'Functions end without a response: a crash at the start, a timeout, or too little memory. Find the function in the Lambda metrics, then its platform.report lines.',
  },
  {
    name: 'RepeatedErrors',
    target: 'account',
    namespace: 'AWS/Lambda',
    metric: 'Errors',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 3,
    threshold: 0,
    comparison: 'above',
    runbook:
      'A function fails again and again, as a rule a worker. Find it in the Lambda metrics; its log has the cause. What a worker left undone is due again, so nothing is lost for 72 hours. After a deployment, roll back.',
  },
  {
    name: 'WriteThrottles',
    target: 'table and indexes',
    namespace: 'AWS/DynamoDB',
    metric: 'WriteThrottleEvents',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 2,
    threshold: 0,
    comparison: 'above',
    runbook:
      'DynamoDB throttles writes, and people get 503. One hot form: it passes when the partition has split. Everything: request higher table quotas.',
  },
  {
    name: 'ReadThrottles',
    target: 'table and indexes',
    namespace: 'AWS/DynamoDB',
    metric: 'ReadThrottleEvents',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 2,
    threshold: 0,
    comparison: 'above',
    runbook:
      'DynamoDB throttles reads, and people get 503. Look for an export or list that is repeated; if all of the table is throttled, request higher table quotas.',
  },
  {
    name: 'WriteUse',
    target: 'table',
    namespace: 'AWS/DynamoDB',
    metric: 'ConsumedWriteCapacityUnits',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 3,
    threshold: 1_000_000,
    comparison: 'above',
    runbook:
      'Writes cost about 10 dollars an hour, as 100 submissions a second do. If it is no such day, sum capacityUnits by userId and operation in the logs, and end what that person does.',
  },
  {
    name: 'ReadUse',
    target: 'table',
    namespace: 'AWS/DynamoDB',
    metric: 'ConsumedReadCapacityUnits',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 3,
    threshold: 3_000_000,
    comparison: 'above',
    runbook:
      'Reads cost more than 5 dollars an hour. Large exports pass by themselves; otherwise sum capacityUnits by userId and operation in the logs, and end what that person does.',
  },
  {
    name: 'IteratorAge',
    target: 'worker',
    namespace: 'AWS/Lambda',
    metric: 'IteratorAge',
    statistic: 'Maximum',
    periodSeconds: MINUTE,
    periods: 10,
    threshold: 600_000,
    comparison: 'above',
    only: 'stream',
    runbook:
      'A worker is ten minutes behind the stream, which forgets after 24 hours. Find out from its log whether it fails or is slow; what it cannot process is kept in the bucket.',
  },
  {
    name: 'WorkerSilence',
    target: 'worker',
    namespace: 'AWS/Lambda',
    metric: 'Invocations',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 3,
    threshold: 1,
    comparison: 'below',
    only: 'every minute',
    runbook:
      'The schedule of a worker does not invoke it. Look at the schedule in EventBridge Scheduler: enabled, with its role; deploying again restores both.',
  },
  {
    name: 'FailedRecords',
    target: 'mapping',
    namespace: 'AWS/Lambda',
    metric: 'OnFailureDestinationDeliveredEventCount',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 1,
    threshold: 0,
    comparison: 'above',
    runbook:
      'Stream records could not be processed and lie in the bucket under aws/lambda/ for 14 days. The sweep repeats jobs by itself; correct the cause in the log of the workers.',
  },
  {
    name: 'DroppedMailEvents',
    target: 'worker',
    namespace: 'AWS/Lambda',
    metric: 'AsyncEventsDropped',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 1,
    threshold: 0,
    comparison: 'above',
    only: 'mail events',
    runbook:
      'An event of SES failed three times and lies in the bucket under aws/lambda/ for 14 days. Only the status of its mail is not shown; correct the cause in the log of the worker.',
  },
  {
    name: 'FailedJobs',
    target: 'logs',
    namespace: 'FormService',
    metric: 'failedJobs',
    statistic: 'Sum',
    periodSeconds: FIVE_MINUTES,
    periods: 1,
    threshold: 0,
    comparison: 'above',
    runbook:
      'A job has failed: a mail or row for 72 hours or refused for good, an export three times, or a maintenance job for 72 hours, which is still attempted, or a deletion whose resource exists again (exists_again). The log line has failedJob and reason; correct the cause, then repeat it ("Replay" in the runbook).',
  },
  {
    name: 'MailBounces',
    target: 'account',
    namespace: 'AWS/SES',
    metric: 'Reputation.BounceRate',
    statistic: 'Average',
    periodSeconds: 3_600,
    periods: 1,
    threshold: 0.05,
    comparison: 'above',
    runbook:
      'More than 5 % of mails bounce; SES pauses the account at 10 %. Look for a form that is filled in with invented addresses, and archive it.',
  },
  {
    name: 'MailComplaints',
    target: 'account',
    namespace: 'AWS/SES',
    metric: 'Reputation.ComplaintRate',
    statistic: 'Average',
    periodSeconds: 3_600,
    periods: 1,
    threshold: 0.001,
    comparison: 'above',
    runbook:
      'More than 0.1 % of recipients report mails as spam; SES pauses the account at 0.5 %. Find the form whose mails nobody asked for, and archive it.',
  },
];

const ONLY: Readonly<Record<NonNullable<Alarm['only']>, (source: WorkerSource) => boolean>> = {
  stream: ({ type }) => type === 'stream',
  'every minute': (source) => source.type === 'schedule' && source.rate === '1 minute',
  'mail events': ({ type }) => type === 'mail-events',
};

/** Whether an alarm on workers is about a worker with this source. */
export const isAbout = ({ only }: Alarm, source: WorkerSource): boolean => only === undefined || ONLY[only](source);
