/** The alarms of `stacks/alarms.ts` with a topic that notifies people. */
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { ALARMS, type Alarm, isAbout } from '../alarms.ts';
import { nameMetrics, type Stage } from '../stage.ts';
import type { CreatedWorker } from './workers.ts';

type Text = $util.Input<string>;
type Dimensions = Readonly<Record<string, Text>>;
/** What an alarm is created for: a suffix of its name, and the dimensions of its metrics. */
type Subject = { suffix: string; namespace?: string; dimensions: Dimensions };

export type Watched = { apiId: Text; tableName: Text; workerLogs: Text; workers: readonly CreatedWorker[] };

/** Creates the alarms of a stage, which notify its operators at an address. */
export function createAlarms(stage: Stage, endpoint: string, watched: Watched): void {
  const topic = new aws.sns.Topic('Alarms', { displayName: `Form service ${stage.name}` });
  new aws.sns.TopicSubscription('AlarmsEmail', { topic: topic.arn, protocol: 'email', endpoint });
  const failures = countFailedJobs(stage, watched.workerLogs);
  for (const alarm of ALARMS) {
    for (const subject of listSubjects(alarm, watched, failures)) createAlarm(stage, alarm, subject, topic.arn);
  }
}

/**
 * Counts the log lines about failed jobs of all workers, but not those of people without a valid address or with too large
 * an export, which no operator can correct. Returns the namespace of the metric.
 */
function countFailedJobs(stage: Stage, logGroupName: Text): string {
  const namespace = nameMetrics(stage);
  new aws.cloudwatch.LogMetricFilter('FailedJobsCount', {
    logGroupName,
    pattern: '"failedJob" -"no_address" -"invalid_address" -"too_large"',
    metricTransformation: { name: 'failedJobs', namespace, value: '1', defaultValue: '0' },
  });
  return namespace;
}

function listSubjects(alarm: Alarm, watched: Watched, failures: string): Subject[] {
  const { apiId, tableName, workers } = watched;
  switch (alarm.target) {
    case 'account':
      return [{ suffix: '', dimensions: {} }];
    case 'api':
      return [{ suffix: '', dimensions: { ApiId: apiId } }];
    case 'table':
      return [{ suffix: '', dimensions: { TableName: tableName } }];
    case 'table and indexes':
      // The metrics of a table do not include those of its indexes.
      return [
        { suffix: '', dimensions: { TableName: tableName } },
        ...TABLE_DEFINITION.indexes.map(({ name }) => ({
          suffix: name,
          dimensions: { TableName: tableName, GlobalSecondaryIndexName: name },
        })),
      ];
    case 'logs':
      return [{ suffix: '', namespace: failures, dimensions: {} }];
    case 'mapping':
      return workers.flatMap(({ worker, mappingId }) =>
        mappingId ? [{ suffix: worker.name, dimensions: { EventSourceMappingUUID: mappingId } }] : [],
      );
    case 'worker':
      return workers
        .filter(({ worker }) => isAbout(alarm, worker.source))
        .map(({ worker, created }) => ({ suffix: worker.name, dimensions: { FunctionName: created.name } }));
  }
}

function createAlarm(stage: Stage, alarm: Alarm, subject: Subject, topicArn: Text): void {
  const { name, statistic, periodSeconds, threshold } = alarm;
  const namespace = subject.namespace ?? alarm.namespace;
  const { dimensions } = subject;
  const toMetric = (metricName: string) => ({
    namespace,
    metricName,
    period: periodSeconds,
    stat: statistic,
    dimensions,
  });
  const single = {
    namespace,
    metricName: alarm.metric,
    period: periodSeconds,
    dimensions,
    ...(statistic === 'p99' ? { extendedStatistic: statistic } : { statistic }),
  };
  const ratio = {
    metricQueries: [
      { id: 'part', metric: toMetric(alarm.metric) },
      { id: 'whole', metric: toMetric(alarm.per ?? '') },
      { id: 'percent', expression: '100 * part / whole', label: `${alarm.metric} in percent`, returnData: true },
    ],
  };
  new aws.cloudwatch.MetricAlarm(`${name}${subject.suffix}`, {
    name: `form-service-${stage.name}-${name}${subject.suffix ? `-${subject.suffix}` : ''}`,
    alarmDescription: alarm.runbook,
    comparisonOperator: alarm.comparison === 'above' ? 'GreaterThanThreshold' : 'LessThanThreshold',
    threshold,
    evaluationPeriods: alarm.periods,
    treatMissingData: alarm.comparison === 'above' ? 'notBreaching' : 'breaching',
    alarmActions: [topicArn],
    okActions: [topicArn],
    ...(alarm.per ? ratio : single),
  });
}
