/**
 * Log lines: one JSON object per line on standard output, as CloudWatch reads them. `LOG=off` suppresses all but
 * errors.
 */
import { isLogging } from '#core/aws/config.ts';
import type { LogEntry } from '#core/db/ports.ts';

/** Writes a log line. Never pass answers, tokens or addresses. */
export function log(entry: LogEntry): void {
  if (entry.level === 'error' || isLogging()) writeLine(entry);
}

/** Writes an object as a line. Not with `console`: Lambda wraps its lines as texts in log entries of its own. */
function writeLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
