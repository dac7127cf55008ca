/** Alarms watch what exists, notify somebody, and say what to do. */
import * as z from 'zod';
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { ALARMS, isAbout } from '#stacks/alarms.ts';
import { ASSUMPTIONS } from '#stacks/operate/bill.ts';
import { nameMetrics } from '#stacks/settings.ts';
import { type Check, type Description, differing, differingSets, inputsOf } from './description.ts';

const Dimensions = z.record(z.string(), z.string().optional()).default({});
const AlarmMetric = z.object({ namespace: z.string(), metricName: z.string(), dimensions: Dimensions });
const MetricAlarm = z.object({
  name: z.string(),
  alarmDescription: z.string().optional(),
  alarmActions: z.array(z.string()).default([]),
  dimensions: Dimensions,
  namespace: z.string().default(''),
  metricName: z.string().default(''),
  metricQueries: z.array(z.object({ metric: AlarmMetric.optional() })).optional(),
});

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
};

/** Whether a metric exists; those of the stage itself are counted by its filters of logs. */
const isPublished = ({ stage }: Description, namespace: string, metric: string, dimensions: string): boolean =>
  namespace === nameMetrics(stage)
    ? metric === 'failedDeliveries' && dimensions === ''
    : PUBLISHED[`${namespace} ${metric}`]?.includes(dimensions) === true;

/** The metrics of an alarm that nothing publishes, so that it never rings. */
const unpublished = (description: Description, { name, metricQueries, ...single }: z.output<typeof MetricAlarm>) =>
  (metricQueries?.flatMap(({ metric }) => metric ?? []) ?? [single])
    .map(
      ({ namespace, metricName, dimensions }) =>
        [namespace, metricName, Object.keys(dimensions).sort().join(', ')] as const,
    )
    .filter((metric) => !isPublished(description, ...metric))
    .map(
      ([namespace, metric, by]) => `${name} watches ${namespace} ${metric} by ${by || 'nothing'}, which nobody counts`,
    );
const Subscription = z.object({ endpoint: z.string() });

/** The alarms that a deployment has if there is somebody to notify: one each, one for the table and each index, or one for each worker. */
function expectedAlarms({ stage, functions }: Description): string[] {
  if (stage.alarmEmail === undefined) return [];
  const workers = functions.filter((each) => 'source' in each);
  return ALARMS.flatMap((alarm) => {
    const full = `form-service-${stage.name}-${alarm.name}`;
    if (alarm.target === 'table') return [full, ...TABLE_DEFINITION.indexes.map(({ name }) => `${full}-${name}`)];
    if (alarm.target !== 'worker' && alarm.target !== 'mapping') return [full];
    const only = alarm.target === 'mapping' ? { ...alarm, only: 'stream' as const } : alarm;
    return workers.filter(({ source }) => isAbout(only, source)).map(({ name }) => `${full}-${name}`);
  });
}

/** Every alarm exists, watches something, notifies, and has a line of the runbook. */
export const checkAlarms: Check = (description) => {
  const alarms = inputsOf(description, 'aws:cloudwatch/metricAlarm:MetricAlarm', MetricAlarm).map(
    ({ inputs }) => inputs,
  );
  const emails = inputsOf(description, 'aws:sns/topicSubscription:TopicSubscription', Subscription);
  const { alarmEmail } = description.stage;
  const isSubscribed = emails.some(({ inputs }) => inputs.endpoint === alarmEmail);
  return [
    ...differingSets(
      'the deployment',
      alarms.map(({ name }) => name),
      expectedAlarms(description),
    ),
    ...alarms.flatMap(({ name, alarmDescription = '', alarmActions, dimensions }) => [
      ...(alarmDescription.length < 40 ? [`${name} does not say what to do`] : []),
      ...(alarmActions.length === 0 ? [`${name} notifies nobody`] : []),
      ...Object.entries(dimensions)
        .filter(([, value]) => !value)
        .map(([dimension]) => `${name} has no ${dimension}`),
    ]),
    ...alarms.flatMap((alarm) => unpublished(description, alarm)),
    // Of a ratio, each metric is paid.
    ...differing(
      'the number of alarms in the bill',
      alarmEmail ? ASSUMPTIONS.alarms : 0,
      alarms.reduce((sum, { metricQueries }) => sum + (metricQueries?.filter(({ metric }) => metric).length ?? 1), 0),
    ),
    ...(alarmEmail && !isSubscribed ? [`nobody receives the alarms: ${alarmEmail} is not subscribed`] : []),
  ];
};

const Budget = z.object({
  limitAmount: z.string(),
  limitUnit: z.string(),
  timeUnit: z.string(),
  notifications: z.array(
    z.object({ notificationType: z.string(), threshold: z.number(), subscriberEmailAddresses: z.array(z.string()) }),
  ),
});

/** With a monthly budget, the operators are told before it is spent; without one there is none. */
export const checkBudget: Check = (description) => {
  const { monthlyBudget, alarmEmail } = description.stage;
  const budgets = inputsOf(description, 'aws:budgets/budget:Budget', Budget).map(({ inputs }) => inputs);
  if (monthlyBudget === undefined) return budgets.length === 0 ? [] : ['there is a budget that nobody has set'];
  const [budget] = budgets;
  if (!budget) return ['there is no budget'];
  const { notifications, limitAmount, limitUnit, timeUnit } = budget;
  return [
    ...differing('the budget', `${limitAmount} ${limitUnit} ${timeUnit}`, `${monthlyBudget} USD MONTHLY`),
    ...notifications
      .filter(({ subscriberEmailAddresses: [address] }) => address !== alarmEmail)
      .map(({ notificationType, threshold }) => `nobody is told that ${threshold} % are ${notificationType}`),
    ...(notifications.some(({ notificationType, threshold }) => notificationType === 'ACTUAL' && threshold < 100)
      ? []
      : ['nobody is told before the budget is spent']),
  ];
};

const MetricFilter = z.object({ pattern: z.string(), logGroupName: z.string() });
const Dashboard = z.object({ dashboardBody: z.string() });
const Body = z.object({
  widgets: z.array(z.object({ properties: z.object({ title: z.string(), metrics: z.array(z.array(z.unknown())) }) })),
});

type Widgets = z.output<typeof Body>['widgets'];

/** Lines of charts that stay empty: of metrics that nothing publishes, or of workers that do not read the stream. */
function emptyLines(description: Description, widgets: Widgets): string[] {
  const { functions, resources } = description;
  const readers = functions.filter((each) => 'source' in each && each.source.type === 'stream');
  const names = readers.map(({ name }) => resources.find((each) => each.name === `${name}Function`)?.inputs.name);
  return widgets.flatMap(({ properties: { title, metrics } }) =>
    metrics.flatMap((line) => {
      const [namespace = '', metric = '', ...rest] = line.filter((part) => typeof part === 'string');
      const by = rest
        .filter((_, index) => index % 2 === 0)
        .sort()
        .join(', ');
      return [
        ...(isPublished(description, namespace, metric, by)
          ? []
          : [`the chart "${title}" has ${namespace} ${metric} by ${by || 'nothing'}, which nobody counts`]),
        ...(metric === 'IteratorAge' && !names.includes(rest[1])
          ? [`the chart of the age of stream records has ${rest[1]}, which does not read the stream`]
          : []),
      ];
    }),
  );
}

/** Where somebody is notified, the dashboard shows something in every chart, and counts failed deliveries of every worker. */
export const checkDashboard: Check = (description) => {
  const [dashboard] = inputsOf(description, 'aws:cloudwatch/dashboard:Dashboard', Dashboard);
  const isWatched = description.stage.alarmEmail !== undefined;
  if (!isWatched && dashboard) return ['there is a dashboard, and nobody to watch it'];
  if (!dashboard) return isWatched ? ['there is no dashboard'] : [];
  const { widgets } = Body.parse(JSON.parse(dashboard.inputs.dashboardBody));
  const filters = inputsOf(description, 'aws:cloudwatch/logMetricFilter:LogMetricFilter', MetricFilter);
  return [
    ...widgets
      .filter(({ properties }) => properties.metrics.length === 0)
      .map(({ properties }) => `the chart "${properties.title}" is empty`),
    ...differing(
      'what counts failed deliveries',
      filters.map(({ inputs }) => inputs.logGroupName),
      [`/form-service/${description.stage.name}/workers`],
    ),
    ...emptyLines(description, widgets),
    ...filters
      .filter(({ inputs }) => !/^"failedDelivery" .*-"no_address"/.test(inputs.pattern))
      .map(({ name }) => `${name} counts people without an address, whom no operator can help`),
  ];
};
