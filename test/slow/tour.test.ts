/** The tour of the README: its lines are run as they are printed, on a service that is started as the README says. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shellEnvironment, startChild } from '#test/support/child-service.ts';
import { ROOT } from '#test/support/sources.ts';

test('the tour of the README works as printed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const tour = /```bash tour\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const service = await startChild(join(home, 'data'));
  onTestFinished(() => service.end('SIGTERM'));
  const script = tour.replaceAll('http://127.0.0.1:3000', service.url);
  const output = execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: home,
    timeout: 90_000,
    env: shellEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  for (const part of [
    'PUBLISHED',
    '"What shall we eat?\\" is required',
    'SUBMITTED',
    'Your response: Lunch',
    '"displayValue":"Dumplings"',
    '"Dumplings","=1+1 🍜"',
    '"name":"Something else","count":1',
    '"originalFilename":"lunch.png"',
    '"state":"DONE"',
  ]) {
    expect(output).toContain(part);
  }
  expect(readFileSync(join(home, 'downloaded.png'))).toEqual(readFileSync(join(home, 'lunch.png')));
  for (const file of ['lunch.xlsx', 'job.xlsx']) {
    expect(readFileSync(join(home, file)).subarray(0, 2).toString()).toBe('PK');
  }
});
