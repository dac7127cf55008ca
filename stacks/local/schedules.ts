/** Runs a worker on its schedule, as EventBridge Scheduler does, but more often, so that a demo need not wait a minute. */
import { randomUUID } from 'node:crypto';
import { every } from './every.ts';

/** A local minute in milliseconds. */
const MINUTE_MS = 2_000;
const DAY_MS = 86_400_000;

/** The milliseconds between two local runs of a rate such as `5 minutes` or `1 days`. Throws for other units. */
export function intervalMs(rate: string): number {
  const [, count, unit] = /^([1-9]\d*) (minute|day)s?$/.exec(rate) ?? [];
  if (count === undefined) throw new Error(`The rate ${rate} is not supported: use minutes or days.`);
  return Number(count) * (unit === 'day' ? DAY_MS : MINUTE_MS);
}

/** The event of a scheduled run. */
export const scheduledEvent = (worker: string, at: Date) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account: '000000000000',
  time: `${at.toISOString().slice(0, 19)}Z`,
  region: 'local',
  resources: [`arn:aws:scheduler:local:000000000000:schedule/default/${worker}`],
  detail: '{}',
});

export type ScheduledEvent = ReturnType<typeof scheduledEvent>;

/**
 * Runs a worker at a rate, never twice at once; failures are logged. Returns a function that ends the schedule and waits
 * for a run.
 */
export const startSchedule = (
  worker: string,
  rate: string,
  invoke: (event: ScheduledEvent) => Promise<unknown>,
): (() => Promise<void>) => every(intervalMs(rate), worker, () => invoke(scheduledEvent(worker, new Date())));
