/** The table of alarms in the runbook, from the data of the alarms. */
import { ALARMS, type Alarm } from '#stacks/alarms.ts';

const UNITS: Readonly<Record<string, (threshold: number) => string>> = {
  Latency: (ms) => `${ms / 1_000} s`,
  IteratorAge: (ms) => `${ms / 60_000} minutes`,
  'Reputation.BounceRate': (rate) => `${100 * rate} %`,
  'Reputation.ComplaintRate': (rate) => `${100 * rate} %`,
};

/** The condition of an alarm: "`5xx` above 1 %, 10 min". */
function condition({ metric, per, statistic, comparison, threshold, periods, periodSeconds }: Alarm): string {
  const limit = per ? `${threshold} %` : (UNITS[metric]?.(threshold) ?? String(threshold));
  const percentile = statistic === 'p99' ? ' p99' : '';
  return `\`${metric}\`${percentile} ${comparison} ${limit}, ${(periods * periodSeconds) / 60} min`;
}

/** The table of all alarms: when they ring, and the first thing to do. */
export const alarmsTable = (): string =>
  [
    '| Alarm | When | First thing to do |',
    '|---|---|---|',
    ...ALARMS.map((alarm) => `| \`${alarm.name}\` | ${condition(alarm)} | ${alarm.runbook} |`),
  ].join('\n');
