/**
 * Metrics of requests and workers, each as one line in CloudWatch's embedded metric format, from which CloudWatch makes
 * metrics by operation or worker.
 */
import { metricsNamespace } from '#core/aws/config.ts';
import { writeLine } from './log.ts';

export type Measured = {
  operation: string;
  status: number;
  durationMs: number;
  capacityUnits: number;
  coldStart: boolean;
};

/** Writes the metrics of one request. */
export function publish({ operation, status, durationMs, capacityUnits, coldStart }: Measured): void {
  write(
    { operation },
    { duration: durationMs },
    {
      capacityUnits,
      clientErrors: status >= 400 && status < 500 ? 1 : 0,
      serverErrors: status >= 500 ? 1 : 0,
      coldStarts: coldStart ? 1 : 0,
    },
  );
}

/** Writes the metrics of one run of a worker. */
export function publishWorker(run: {
  worker: string;
  durationMs: number;
  capacityUnits: number;
  failed: boolean;
}): void {
  const { worker, durationMs, capacityUnits, failed } = run;
  write({ worker }, { duration: durationMs }, { capacityUnits, failedRuns: failed ? 1 : 0 });
}

type Values = Record<string, number>;

/** Writes metrics of the given dimensions. */
function write(dimensions: Record<string, string>, milliseconds: Values, counts: Values): void {
  const inUnit = (values: Values, Unit: string) => Object.keys(values).map((Name) => ({ Name, Unit }));
  const Metrics = [...inUnit(milliseconds, 'Milliseconds'), ...inUnit(counts, 'Count')];
  const all = { service: 'api', ...dimensions };
  const CloudWatchMetrics = [{ Namespace: metricsNamespace(), Dimensions: [Object.keys(all)], Metrics }];
  writeLine({ _aws: { Timestamp: Date.now(), CloudWatchMetrics }, ...all, ...milliseconds, ...counts });
}
