/** One JSON line per entry on standard output, as CloudWatch reads it. `LOG=off` silences all but errors. */
import { isLogging } from '#core/aws/config.ts';

export type LogEntry = { level: 'info' | 'warn' | 'error' } & Record<string, unknown>;

/** Writes a log line. Never pass answers, tokens or addresses. */
export function log(entry: LogEntry): void {
  if (entry.level === 'error') console.error(JSON.stringify(entry));
  else if (isLogging()) console.log(JSON.stringify(entry));
}
