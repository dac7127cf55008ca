/** Every worker is invoked by its source, and nothing that a worker cannot process is lost. */
import { describe, expect, test } from 'vitest';
import { type WorkerFunction, workerFunctions } from '#stacks/functions.ts';
import { arnOf, functionArn, readDeployed, STAGE_NAMES } from './deployed.ts';

type Source = WorkerFunction['source'];

/** The workers with a type of source. */
const workersOf = <T extends Source['type']>(type: T) =>
  workerFunctions.flatMap(({ name, source }) =>
    source.type === type ? [{ name, source: source as Extract<Source, { type: T }> }] : [],
  );
const BUCKET = arnOf('s3.Bucket', 'FilesBucket');

describe.for(STAGE_NAMES)('the workers of %s', (stageName) => {
  const { all, only } = readDeployed(stageName);

  test('read the stream as declared, accept partial failures and lose no record', () => {
    const mappings = [...all('lambda.EventSourceMapping').values()];
    // The number of readers that a shard of a stream serves without throttling.
    expect(mappings.length).toBeLessThanOrEqual(2);
    for (const { name, source } of workersOf('stream')) {
      const mapping = mappings.find(({ functionName }) => functionName === functionArn(name));
      expect(mapping, name).toMatchObject({
        ...{ eventSourceArn: `${arnOf('dynamodb.Table', 'TableTable')}/stream`, startingPosition: 'TRIM_HORIZON' },
        ...{ batchSize: source.batchSize, maximumBatchingWindowInSeconds: source.windowSeconds },
        ...{ maximumRetryAttempts: source.retries, bisectBatchOnFunctionError: true },
        functionResponseTypes: ['ReportBatchItemFailures'],
        filterCriteria: { filters: source.filters.map((filter) => ({ pattern: JSON.stringify(filter) })) },
        destinationConfig: { onFailure: { destinationArn: BUCKET } },
        metricsConfig: { metrics: ['EventCount'] },
      });
    }
  });

  test('are invoked by their schedules', () => {
    const schedules = all('scheduler.Schedule');
    for (const { name, source } of workersOf('schedule')) {
      const expected = {
        scheduleExpression: `rate(${source.rate})`,
        state: 'ENABLED',
        target: { arn: functionArn(name) },
      };
      expect(schedules.get(`${name}ScheduleSchedule`), name).toMatchObject(expected);
    }
  });

  test('are told by SES what becomes of mails', () => {
    expect(only('sesv2.ConfigurationSetEventDestination').eventDestination).toMatchObject({
      matchingEventTypes: ['SEND', 'DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'],
      eventBridgeDestination: { eventBusArn: expect.stringMatching(/:event-bus\/default$/) },
    });
  });

  test.for(workersOf('mail-events'))('$name receives the events of mails of this stage, and loses none', ({ name }) => {
    const arn = functionArn(name);
    const { configurationSetName } = only('sesv2.ConfigurationSet');
    expect(JSON.parse(String(only('cloudwatch.EventRule').eventPattern))).toEqual({
      ...{ source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [configurationSetName] } } } },
    });
    expect(only('cloudwatch.EventTarget')).toEqual({ rule: `${name}Rule`, arn });
    expect(all('lambda.Permission').get(`${name}Permission`)).toEqual({
      ...{ action: 'lambda:InvokeFunction', function: all('lambda.Function').get(`${name}Function`)?.name },
      ...{ principal: 'events.amazonaws.com', sourceArn: arnOf('cloudwatch.EventRule', `${name}Rule`) },
    });
    const onFailure = { destination: BUCKET };
    expect(only('lambda.FunctionEventInvokeConfig')).toMatchObject({
      functionName: arn,
      destinationConfig: { onFailure },
    });
  });
});
