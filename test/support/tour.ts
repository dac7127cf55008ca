/** Runs the tour of the README as it is printed, against a running service. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { shellEnvironment } from './child-service.ts';
import { ROOT } from './sources.ts';

/** What only the local service has: the mailbox and the spreadsheet of the demo. */
const LOCAL_LINE = /^.*\/(?:inbox|sheet)\.json.*\n/gm;

/**
 * Runs the tour on a service that has the demo's people and organization, in an empty directory, and checks what it
 * prints and downloads. A deployment leaves out the lines about the mailbox and the spreadsheet of this machine.
 */
export async function runTour(url: string, directory: string, service: 'local' | 'deployed'): Promise<void> {
  const tour = /```bash tour\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/tour.md'), 'utf8'))?.[1] ?? '';
  const lines = service === 'local' ? tour : tour.replaceAll(LOCAL_LINE, '');
  const script = lines.replaceAll('http://127.0.0.1:3000', url);
  const options = { cwd: directory, timeout: 90_000, env: shellEnvironment() };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options);
  for (const part of [
    'PUBLISHED',
    '"What shall we eat?\\" is required',
    'SUBMITTED',
    ...(service === 'local' ? ['Your response: Lunch', '"Dumplings","=1+1 🍜"'] : []),
    '"displayValue":"Dumplings"',
    '"name":"Something else","count":1',
    '"originalFilename":"lunch.png"',
    '"state":"DONE"',
  ]) {
    expect(stdout).toContain(part);
  }
  const contents = (file: string): Buffer => readFileSync(join(directory, file));
  expect(contents('downloaded.png')).toEqual(contents('lunch.png'));
  for (const file of ['lunch.xlsx', 'job.xlsx']) expect(contents(file).subarray(0, 2).toString()).toBe('PK');
}
