/** The runner of the suites that take minutes: a file that fails runs once more, from its beginning. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '#test/support/sources.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'second-run-'));
  writeFileSync(join(home, 'config.mjs'), `export default { test: { include: ['*.test.js'], globals: true } };`);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A file whose tests write their names, and fail as often as `failures` says. */
function addFile(name: string, failures: number): void {
  const source = `import { appendFileSync, readFileSync } from 'node:fs';
    test('first', () => appendFileSync('${home}/${name}.log', 'first '));
    test('second', () => {
      appendFileSync('${home}/${name}.log', 'second ');
      expect(readFileSync('${home}/${name}.log', 'utf8').match(/second/g).length).toBeGreaterThan(${failures});
    });`;
  writeFileSync(join(home, `${name}.test.js`), source);
}

/** Runs the files with these names; returns the exit code and the last lines about second runs. */
function run(...names: string[]): { status: number | null; says: string[] } {
  const command = ['test/second-run.ts', '--root', home, '--config', join(home, 'config.mjs'), ...names];
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const { status, stdout } = spawnSync(process.execPath, command, { cwd: ROOT, env, encoding: 'utf8' });
  const says = stdout.split('\n').filter((line) => /second|twice/i.test(line) && line.includes(': '));
  return { status, says: says.map((line) => line.replaceAll(/\S*\/(?=\w+\.test)/g, '')) };
}

test('a file that fails once passes in a second run of all its tests, and is named', () => {
  addFile('late', 1);
  addFile('good', 0);
  expect(run()).toEqual({
    status: 0,
    says: ['These files run a second time: late.test.js', 'Passed in the second run only: late.test.js'],
  });
  const logOf = (name: string) => readFileSync(join(home, `${name}.log`), 'utf8');
  expect([logOf('late'), logOf('good')]).toEqual(['first second first second ', 'first second ']);
});

test('a file that fails twice fails the run', () => {
  addFile('broken', 9);
  addFile('late', 1);
  const { status, says } = run();
  expect([status, says.at(-1)]).toEqual([1, 'Failed twice: broken.test.js']);
});

test('a name of a file as an argument runs only that one', () => {
  addFile('broken', 9);
  addFile('good', 0);
  expect(run('good')).toEqual({ status: 0, says: [] });
});

test('when many files fail, none runs again', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) addFile(name, 1);
  expect(run()).toEqual({ status: 1, says: [] });
});
