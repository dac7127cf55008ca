/** The dashboard of a stage: requests, functions, workers, storage and mail. */
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { nameMetrics, type Stage } from '../stage.ts';
import type { Watched } from './alarms.ts';

type Metric = (string | { stat?: string; label?: string; yAxis?: string })[];
type Chart = { title: string; metrics: Metric[]; stat: string };

const COLUMNS = 2;
const WIDTH = 12;
const HEIGHT = 6;

/** Creates a dashboard with a chart for each thing that fails or costs money, for the operators of a stage. */
export function createDashboard(stage: Stage, { apiId, tableName, workers }: Watched): aws.cloudwatch.Dashboard {
  const { region } = aws.getRegionOutput();
  const names = workers.map(({ created }) => created.name);
  const readers = workers.filter(({ worker }) => worker.source.type === 'stream').map(({ created }) => created.name);
  return new aws.cloudwatch.Dashboard('Dashboard', {
    dashboardName: `form-service-${stage.name}`,
    dashboardBody: $resolve({ apiId, tableName, names, readers, region }).apply((resolved) =>
      JSON.stringify({
        widgets: listCharts({ ...resolved, namespace: nameMetrics(stage) }).map((chart, index) =>
          toWidget(chart, index, resolved.region),
        ),
      }),
    ),
  });
}

const toWidget = ({ title, metrics, stat }: Chart, index: number, region: string) => ({
  type: 'metric',
  x: (index % COLUMNS) * WIDTH,
  y: Math.floor(index / COLUMNS) * HEIGHT,
  width: WIDTH,
  height: HEIGHT,
  properties: { title, metrics, stat, region, period: 300, view: 'timeSeries' },
});

/** Names of resources; `readers` are the workers among `names` that read the stream. */
type Named = { apiId: string; tableName: string; names: string[]; readers: string[]; namespace: string };

function listCharts({ apiId, tableName, names, readers, namespace }: Named): Chart[] {
  const api = (metric: string, stat?: string): Metric => [
    'AWS/ApiGateway',
    metric,
    'ApiId',
    apiId,
    ...(stat ? [{ stat, label: `${metric} ${stat}` }] : []),
  ];
  const table = (metric: string): Metric => ['AWS/DynamoDB', metric, 'TableName', tableName];
  // The metrics of a table do not include those of its indexes.
  const withIndexes = (metric: string): Metric[] => [
    table(metric),
    ...TABLE_DEFINITION.indexes.map(({ name }): Metric => [...table(metric), 'GlobalSecondaryIndexName', name]),
  ];
  const ofWorkers = (metric: string, of = names): Metric[] =>
    of.map((name) => ['AWS/Lambda', metric, 'FunctionName', name]);
  return [
    { title: 'Requests and errors', metrics: [api('Count'), api('4xx'), api('5xx')], stat: 'Sum' },
    {
      title: 'Latency (ms)',
      metrics: [api('Latency', 'p50'), api('Latency', 'p95'), api('Latency', 'p99')],
      stat: 'p50',
    },
    {
      title: 'Functions of the account',
      metrics: [
        ['AWS/Lambda', 'ConcurrentExecutions', { stat: 'Maximum' }],
        ['AWS/Lambda', 'Throttles'],
        ['AWS/Lambda', 'Errors'],
      ],
      stat: 'Sum',
    },
    { title: 'Runs of workers', metrics: ofWorkers('Invocations'), stat: 'Sum' },
    { title: 'Failed runs of workers', metrics: ofWorkers('Errors'), stat: 'Sum' },
    { title: 'Distance from the end of the stream (ms)', metrics: ofWorkers('IteratorAge', readers), stat: 'Maximum' },
    {
      title: 'Capacity of the table and its indexes',
      metrics: [...withIndexes('ConsumedReadCapacityUnits'), ...withIndexes('ConsumedWriteCapacityUnits')],
      stat: 'Sum',
    },
    {
      title: 'Throttled storage requests',
      metrics: [...withIndexes('ReadThrottleEvents'), ...withIndexes('WriteThrottleEvents')],
      stat: 'Sum',
    },
    { title: 'Failed jobs', metrics: [[namespace, 'failedJobs']], stat: 'Sum' },
    {
      title: 'Mail',
      metrics: [
        ['AWS/SES', 'Send'],
        ['AWS/SES', 'Bounce'],
        ['AWS/SES', 'Complaint'],
      ],
      stat: 'Sum',
    },
  ];
}
