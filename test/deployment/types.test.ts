/** The deployment program fits the types of SST's components, which only this test has installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

/** Diagnostics of the program. Those of the components, which are checked with our stricter rules, do not count. */
function diagnostics(): string[] {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--noEmit', '-p', 'stacks/aws/tsconfig.json'], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /^(?:sst\.config|stacks\/aws\/|test\/deployment\/)/.test(line));
}

test('the program fits the types of the components', () => {
  expect(diagnostics()).toEqual([]);
});
