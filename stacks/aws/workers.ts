/** The workers with what invokes them: the table's stream, schedules, and events of SES. */
import type { WorkerFunction } from '../functions.ts';
import { PARALLEL_BATCHES } from '../limits.ts';
import { FAILED_RECORDS } from './bucket.ts';
import { createFunction, type Resources } from './functions.ts';

type WorkerSources = Resources & {
  streamArn: $util.Output<string>;
  bucketArn: $util.Output<string>;
  configurationSetName: $util.Output<string>;
};

/** A worker with its function; `mappingId` is that of its event source mapping, if it reads the stream. */
export type CreatedWorker = {
  worker: WorkerFunction;
  created: sst.aws.Function;
  mappingId: $util.Output<string> | undefined;
};

/** Creates the function of each worker and connects it to its source. */
export const createWorkers = (workers: readonly WorkerFunction[], sources: WorkerSources): CreatedWorker[] =>
  workers.map((worker) => createWorker(worker, sources));

function createWorker(worker: WorkerFunction, sources: WorkerSources): CreatedWorker {
  const { source } = worker;
  switch (source.type) {
    case 'stream': {
      const created = createFunction(worker, sources, [...readPermissions(sources), ...keepPermissions(sources)]);
      const mapping = readStream(worker.name, source, created, sources);
      return { worker, created, mappingId: mapping.uuid };
    }
    case 'schedule': {
      const created = createFunction(worker, sources);
      new sst.aws.CronV2(`${worker.name}Schedule`, { schedule: `rate(${source.rate})`, function: created.arn });
      return { worker, created, mappingId: undefined };
    }
    case 'mail-events': {
      const created = createFunction(worker, sources, keepPermissions(sources));
      receiveMailEvents(worker.name, created, sources);
      return { worker, created, mappingId: undefined };
    }
  }
}

const readPermissions = ({ streamArn }: WorkerSources) => [
  {
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    resources: [streamArn],
  },
];

/** Permissions to keep in the bucket what cannot be processed. */
const keepPermissions = ({ bucketArn }: WorkerSources) => [
  { actions: ['s3:PutObject'], resources: [$interpolate`${bucketArn}/${FAILED_RECORDS}*`] },
  { actions: ['s3:ListBucket'], resources: [bucketArn] },
];

/**
 * Invokes a worker with batches of the stream. A batch that fails is cut in halves and repeated; what still fails is
 * kept in the bucket, as a whole: a queue or topic would only get a pointer to records that expire after a day.
 */
function readStream(
  name: string,
  source: Extract<WorkerFunction['source'], { type: 'stream' }>,
  created: sst.aws.Function,
  { streamArn, bucketArn }: WorkerSources,
): aws.lambda.EventSourceMapping {
  return new aws.lambda.EventSourceMapping(`${name}Stream`, {
    eventSourceArn: streamArn,
    functionName: created.arn,
    startingPosition: 'TRIM_HORIZON',
    batchSize: source.batchSize,
    maximumBatchingWindowInSeconds: source.windowSeconds,
    parallelizationFactor: PARALLEL_BATCHES,
    filterCriteria: { filters: source.filters.map((filter) => ({ pattern: JSON.stringify(filter) })) },
    functionResponseTypes: ['ReportBatchItemFailures'],
    bisectBatchOnFunctionError: true,
    maximumRetryAttempts: source.retries,
    destinationConfig: { onFailure: { destinationArn: bucketArn } },
    // Among them the number of failed batches, for which there is an alarm.
    metricsConfig: { metrics: ['EventCount'] },
  });
}

/**
 * Invokes a worker with the events of the stage's own mails. Lambda repeats an event that fails twice, then it is kept
 * in the bucket.
 */
function receiveMailEvents(
  name: string,
  created: sst.aws.Function,
  { configurationSetName, bucketArn }: WorkerSources,
): void {
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, {
    description: 'Events of SES about sent mail',
    eventPattern: $jsonStringify({
      source: ['aws.ses'],
      detail: { mail: { tags: { 'ses:configuration-set': [configurationSetName] } } },
    }),
  });
  new aws.lambda.Permission(`${name}Permission`, {
    action: 'lambda:InvokeFunction',
    function: created.name,
    principal: 'events.amazonaws.com',
    sourceArn: rule.arn,
  });
  new aws.cloudwatch.EventTarget(`${name}Target`, { rule: rule.name, arn: created.arn });
  new aws.lambda.FunctionEventInvokeConfig(`${name}Failures`, {
    functionName: created.arn,
    destinationConfig: { onFailure: { destination: bucketArn } },
  });
}
