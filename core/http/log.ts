/** One JSON line per entry on standard output, as CloudWatch reads it. `LOG=off` silences all but errors. */

export type LogEntry = { level: 'info' | 'warn' | 'error' } & Record<string, unknown>;

/** Whether requests are logged and measured. */
export const isLogging = (): boolean => process.env.LOG !== 'off';

/** Writes a log line. Never pass answers, tokens or addresses. */
export function log(entry: LogEntry): void {
  if (entry.level === 'error') console.error(JSON.stringify(entry));
  else if (isLogging()) console.log(JSON.stringify(entry));
}
