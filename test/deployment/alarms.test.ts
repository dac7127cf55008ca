/** Alarms and charts watch what exists; alarms and the budget notify somebody, who learns what to do. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { ALARMS, isAbout } from '#stacks/alarms.ts';
import { workerFunctions } from '#stacks/functions.ts';
import { ASSUMPTIONS } from '#stacks/operate/bill.ts';
import { nameMetrics } from '#stacks/stage.ts';
import { readDeployed } from './deployed.ts';

const OF_TABLES = ['TableName', 'GlobalSecondaryIndexName, TableName'];
/** The metrics that AWS publishes, as its services document them, with their dimensions. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway Count': ['ApiId'],
  'AWS/ApiGateway 4xx': ['ApiId'],
  'AWS/ApiGateway 5xx': ['ApiId'],
  'AWS/ApiGateway Latency': ['ApiId'],
  'AWS/Lambda ConcurrentExecutions': [''],
  'AWS/Lambda Throttles': [''],
  'AWS/Lambda Errors': ['', 'FunctionName'],
  'AWS/Lambda Invocations': ['FunctionName'],
  'AWS/Lambda IteratorAge': ['FunctionName'],
  'AWS/Lambda AsyncEventsDropped': ['FunctionName'],
  'AWS/Lambda DestinationDeliveryFailures': ['FunctionName'],
  'AWS/Lambda OnFailureDestinationDeliveredEventCount': ['EventSourceMappingUUID'],
  'AWS/Lambda DroppedEventCount': ['EventSourceMappingUUID'],
  'AWS/DynamoDB ReadThrottleEvents': OF_TABLES,
  'AWS/DynamoDB WriteThrottleEvents': OF_TABLES,
  'AWS/DynamoDB ConsumedReadCapacityUnits': OF_TABLES,
  'AWS/DynamoDB ConsumedWriteCapacityUnits': OF_TABLES,
  'AWS/SES Reputation.BounceRate': [''],
  'AWS/SES Reputation.ComplaintRate': [''],
  'AWS/SES Send': [''],
  'AWS/SES Bounce': [''],
  'AWS/SES Complaint': [''],
  // Those of the stage itself are counted by its filter of logs.
  'FormService/production failedJobs': [''],
};

type Metric = { namespace: string; metricName: string; dimensions: readonly string[] };
/** The metrics that nothing publishes, so that an alarm never rings or a line of a chart stays empty. */
const listUnpublished = (where: string, metrics: readonly Metric[]): string[] =>
  metrics
    .map((each) => ({ metric: `${each.namespace} ${each.metricName}`, by: [...each.dimensions].sort().join(', ') }))
    .filter(({ metric, by }) => !PUBLISHED[metric]?.includes(by))
    .map(({ metric, by }) => `${where}: ${metric} by ${by || 'nothing'}`);

const Watched = z.object({
  namespace: z.string().default(''),
  metricName: z.string().default(''),
  // A dimension without a value selects nothing.
  dimensions: z
    .record(z.string(), z.string())
    .default({})
    .transform((values) => Object.keys(values).filter((name) => values[name])),
});
const Alarm = Watched.extend({
  ...{ name: z.string(), alarmDescription: z.string().default('') },
  alarmActions: z.array(z.string()).default([]),
  metricQueries: z.array(z.object({ metric: Watched.optional() })).optional(),
});

const Line = z.array(z.unknown()).transform((parts) => parts.filter((part) => typeof part === 'string'));
const Widget = z.object({ properties: z.object({ title: z.string(), metrics: z.array(Line) }) });
const Body = z.object({ widgets: z.array(Widget).min(1) });

/** The names of the alarms of production: one each, one for the table and each index, or one for each worker. */
const NAMES = ALARMS.flatMap((alarm) => {
  const full = `form-service-production-${alarm.name}`;
  if (alarm.target === 'table and indexes')
    return [full, ...TABLE_DEFINITION.indexes.map(({ name }) => `${full}-${name}`)];
  if (alarm.target !== 'worker' && alarm.target !== 'mapping') return [full];
  const only = alarm.target === 'mapping' ? { ...alarm, only: 'stream' as const } : alarm;
  return workerFunctions.filter(({ source }) => isAbout(only, source)).map(({ name }) => `${full}-${name}`);
});

describe('production', () => {
  const { stage, all, only } = readDeployed('production');
  const alarms = [...all('cloudwatch.MetricAlarm').values()].map((inputs) => {
    const { metricQueries, ...alarm } = Alarm.parse(inputs);
    return { ...alarm, metrics: metricQueries?.flatMap(({ metric }) => metric ?? []) ?? [alarm] };
  });

  test('has an alarm for everything that its operators should know', () => {
    expect(alarms.map(({ name }) => name).sort()).toEqual(NAMES.sort());
  });

  test('notifies its operators of an alarm, and says what to do', () => {
    expect(only('sns.TopicSubscription').endpoint).toBe(stage.alarmEmail);
    for (const { name, alarmDescription, alarmActions } of alarms) {
      expect(alarmActions, name).not.toEqual([]);
      expect(alarmDescription.length, `the description of ${name}`).toBeGreaterThanOrEqual(40);
    }
  });

  test('watches metrics that are published', () => {
    expect(alarms.flatMap(({ name, metrics }) => listUnpublished(name, metrics))).toEqual([]);
  });

  test('has as many alarms as the bill assumes; of a ratio, each metric is paid', () => {
    expect(alarms.flatMap(({ metrics }) => metrics)).toHaveLength(ASSUMPTIONS.alarms);
  });

  test('tells its operators what is spent, and before the budget is', () => {
    const { limitAmount, limitUnit, timeUnit, notifications } = only('budgets.Budget');
    expect([limitAmount, limitUnit, timeUnit]).toEqual([String(stage.monthlyBudget), 'USD', 'MONTHLY']);
    const subscriberEmailAddresses = [stage.alarmEmail];
    expect(notifications).toMatchObject([80, 100, 100].map((threshold) => ({ threshold, subscriberEmailAddresses })));
    expect(notifications).toContainEqual(expect.objectContaining({ notificationType: 'ACTUAL', threshold: 80 }));
  });

  test('counts the failed jobs of every worker, but not those of people without an address', () => {
    expect(only('cloudwatch.LogMetricFilter')).toMatchObject({
      logGroupName: '/form-service/production/workers',
      pattern: expect.stringMatching(/^"failedJob" .*-"no_address"/),
      metricTransformation: { name: 'failedJobs', namespace: nameMetrics(stage) },
    });
  });

  const listCharts = () =>
    Body.parse(JSON.parse(String(only('cloudwatch.Dashboard').dashboardBody))).widgets.map(
      ({ properties }) => properties,
    );

  test('has a dashboard that shows published metrics in every chart', () => {
    const unpublished = listCharts().flatMap(({ title, metrics }) => {
      expect(metrics, title).not.toEqual([]);
      return metrics.flatMap(([namespace = '', metricName = '', ...rest]) =>
        listUnpublished(title, [{ namespace, metricName, dimensions: rest.filter((_, index) => index % 2 === 0) }]),
      );
    });
    expect(unpublished).toEqual([]);
  });

  test('has a chart of the age of stream records for the workers that read the stream', () => {
    const lines = listCharts().flatMap(({ metrics }) => metrics.filter(([, metric]) => metric === 'IteratorAge'));
    const readers = workerFunctions.filter(({ source }) => source.type === 'stream');
    const lambdas = all('lambda.Function');
    expect(lines.map((line) => line.at(-1))).toEqual(readers.map(({ name }) => lambdas.get(`${name}Function`)?.name));
  });
});

test.for([
  'cloudwatch.MetricAlarm',
  'sns.TopicSubscription',
  'cloudwatch.Dashboard',
  'budgets.Budget',
])('a stage with nothing that is optional has no %s', (type) => {
  expect(readDeployed('alice').all(type).size).toBe(0);
});
