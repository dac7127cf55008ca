/** Every worker is invoked by its source, and nothing that a worker cannot process is lost. */
import * as z from 'zod';
import type { WorkerFunction } from '#stacks/functions.ts';
import { arnOf, type Check, type Description, differing, inputsOf, onlyOne } from './description.ts';

const workersOf = ({ functions }: Description): WorkerFunction[] => functions.filter((each) => 'source' in each);
const BUCKET = arnOf('aws:s3/bucket:Bucket', 'FilesBucket');
const functionArn = (name: string): string => arnOf('aws:lambda/function:Function', `${name}Function`);

const Mapping = z.object({
  functionName: z.string(),
  eventSourceArn: z.string(),
  startingPosition: z.string(),
  batchSize: z.number(),
  maximumBatchingWindowInSeconds: z.number(),
  parallelizationFactor: z.number(),
  maximumRetryAttempts: z.number(),
  bisectBatchOnFunctionError: z.boolean().default(false),
  functionResponseTypes: z.array(z.string()).default([]),
  destinationConfig: z.object({ onFailure: z.object({ destinationArn: z.string() }) }).optional(),
  metricsConfig: z.object({ metrics: z.array(z.string()) }).optional(),
  filterCriteria: z.object({ filters: z.array(z.object({ pattern: z.string() })) }).optional(),
});
type Mapping = z.output<typeof Mapping>;

/** Stream mappings: as declared, with partial failures, limited retries, and the bucket for what still fails. */
export const checkStreams: Check = (description) => {
  const mappings = inputsOf(description, 'aws:lambda/eventSourceMapping:EventSourceMapping', Mapping);
  const workers = workersOf(description).filter(({ source }) => source.type === 'stream');
  // Two is the number of readers that a shard of a stream serves without throttling.
  const tooMany = mappings.length > 2 ? [`${mappings.length} workers read the stream; it serves two`] : [];
  return [
    ...tooMany,
    ...workers.flatMap((worker) => {
      const mapping = mappings.find(({ inputs }) => inputs.functionName === functionArn(worker.name))?.inputs;
      return mapping ? faultsOfMapping(worker, mapping) : [`nothing invokes ${worker.name}`];
    }),
  ];
};

function faultsOfMapping({ name, source }: WorkerFunction, mapping: Mapping): string[] {
  if (source.type !== 'stream') return [];
  const stream = `${arnOf('aws:dynamodb/table:Table', 'TableTable')}/stream`;
  const patterns = mapping.filterCriteria?.filters.map(({ pattern }) => pattern);
  return [
    ...differing(`the stream of ${name}`, mapping.eventSourceArn, stream),
    ...differing(`the batch size of ${name}`, mapping.batchSize, source.batchSize),
    ...differing(`the window of ${name}`, mapping.maximumBatchingWindowInSeconds, source.windowSeconds),
    ...differing(`the retries of ${name}`, mapping.maximumRetryAttempts, source.retries),
    ...differing(
      `the filter of ${name}`,
      patterns,
      source.filters.map((filter) => JSON.stringify(filter)),
    ),
    ...differing(`the starting position of ${name}`, mapping.startingPosition, 'TRIM_HORIZON'),
    ...(mapping.functionResponseTypes.includes('ReportBatchItemFailures')
      ? []
      : [`the stream mapping of ${name} does not accept partial failures`]),
    ...differing(`the metrics of the stream mapping of ${name}`, mapping.metricsConfig?.metrics, ['EventCount']),
    ...(mapping.bisectBatchOnFunctionError ? [] : [`the stream mapping of ${name} does not halve failing batches`]),
    ...(mapping.destinationConfig?.onFailure.destinationArn === BUCKET
      ? []
      : [`the stream mapping of ${name} has no bucket as on-failure destination: records that fail are lost`]),
  ];
}

const Schedule = z.object({
  scheduleExpression: z.string(),
  state: z.string(),
  target: z.object({ arn: z.string() }),
});
const Rule = z.object({ eventPattern: z.string() });
const Target = z.object({ arn: z.string() });
const Failures = z.object({
  functionName: z.string(),
  destinationConfig: z.object({ onFailure: z.object({ destination: z.string() }) }),
});
const Destination = z.object({
  eventDestination: z.object({
    enabled: z.boolean(),
    matchingEventTypes: z.array(z.string()),
    eventBridgeDestination: z.object({ eventBusArn: z.string() }).optional(),
  }),
});

/** Schedules, as declared. */
export const checkSchedules: Check = (description) => {
  const schedules = inputsOf(description, 'aws:scheduler/schedule:Schedule', Schedule);
  return workersOf(description).flatMap(({ name, source }) => {
    if (source.type !== 'schedule') return [];
    const schedule = schedules.find(({ inputs }) => inputs.target.arn === functionArn(name))?.inputs;
    if (!schedule) return [`nothing invokes ${name}`];
    return [
      ...differing(`the schedule of ${name}`, schedule.scheduleExpression, `rate(${source.rate})`),
      ...differing(`the state of the schedule of ${name}`, schedule.state, 'ENABLED'),
    ];
  });
};

const REPORTED = ['SEND', 'DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'];

/** The configuration set reports events of mails, and the worker of mail events receives those of this stage. */
export const checkMailEvents: Check = (description) => {
  const type = 'aws:sesv2/configurationSetEventDestination:ConfigurationSetEventDestination';
  const { eventDestination } = onlyOne(description, type, Destination);
  const destination = eventDestination.eventBridgeDestination?.eventBusArn ?? 'none';
  const reported = [
    ...differing('the reported events of mails', eventDestination.matchingEventTypes, REPORTED),
    ...(destination.endsWith(':event-bus/default') ? [] : ['the events of mails do not reach EventBridge']),
  ];
  const received = workersOf(description).flatMap(({ name, source }) => {
    if (source.type !== 'mail-events') return [];
    const targets = inputsOf(description, 'aws:cloudwatch/eventTarget:EventTarget', Target);
    const rules = inputsOf(description, 'aws:cloudwatch/eventRule:EventRule', Rule);
    const isTargeted = targets.some(({ inputs }) => inputs.arn === functionArn(name));
    const isOwn = rules.some(({ inputs }) => /"aws\.ses".*configuration-set/.test(inputs.eventPattern));
    const failures = inputsOf(description, 'aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig', Failures);
    const isKept = failures.some(
      ({ inputs }) =>
        inputs.functionName === functionArn(name) && inputs.destinationConfig.onFailure.destination === BUCKET,
    );
    return [
      ...(isTargeted && isOwn ? [] : [`nothing invokes ${name} with the events of this stage`]),
      ...(isKept ? [] : [`${name} has no bucket as on-failure destination: events that fail are lost`]),
    ];
  });
  return [...reported, ...received];
};
