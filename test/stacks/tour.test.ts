/** The tour of the README: its lines are run as they are printed, against a service started as a newcomer starts it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('the tour of the README works as printed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tour-'));
  const script = /```bash tour\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  // The environment of the tests names their emulators; the service must start its own.
  const { PATH = '', HOME = '' } = process.env;
  const start = [join(ROOT, 'stacks/local/start.ts'), '--port', '0', '--data', join(home, 'data')];
  const service = spawn(process.execPath, start, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines: string[] = [];
    for await (const line of createInterface(service.stdout)) {
      lines.push(line);
      if (line.startsWith('ready ')) break;
    }
    const url = lines.at(-1)?.slice('ready '.length) ?? '';
    const shown = execFileSync('bash', ['-euo', 'pipefail', '-c', script.replaceAll('http://127.0.0.1:3000', url)], {
      cwd: home,
      encoding: 'utf8',
    });
    expect(shown).toContain('PUBLISHED');
    expect(shown).toContain('"What shall we eat?\\" is required');
    expect(shown).toContain('SUBMITTED');
    expect(shown).toContain('"displayValue":"Dumplings"');
    expect(shown).toContain('"name":"Something else","count":1');
    expect(shown).toContain('"originalFilename":"lunch.png"');
    expect(readFileSync(join(home, 'downloaded.png'))).toEqual(readFileSync(join(home, 'lunch.png')));
    expect(readFileSync(join(home, 'lunch.xlsx')).subarray(0, 2).toString()).toBe('PK');
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    rmSync(home, { recursive: true, force: true });
  }
});
