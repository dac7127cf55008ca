/**
 * The logs of a stage: one of the functions behind the API and one of the workers, so that a query searches all of them;
 * CloudWatch takes 50 logs a query.
 */
import type { Stage } from '../stage.ts';

export type Logs = Readonly<Record<'api' | 'workers', aws.cloudwatch.LogGroup>>;

/** Creates the logs, which end after a month in production and after a week in other stages. */
export function createLogs({ name, isProduction }: Stage): Logs {
  const retentionInDays = isProduction ? 30 : 7;
  return {
    api: new aws.cloudwatch.LogGroup('ApiLogs', { name: `/form-service/${name}/api`, retentionInDays }),
    workers: new aws.cloudwatch.LogGroup('WorkerLogs', { name: `/form-service/${name}/workers`, retentionInDays }),
  };
}
