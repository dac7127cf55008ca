/** The command line of `npm start`, and what it says on machines without the local DynamoDB. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '#stacks/local/command-line.ts';
import { startDynamo } from '#stacks/local/dynamo/dynamo.ts';
import { ROOT } from '#test/support/sources.ts';

test('the options have defaults, and the directory is absolute', () => {
  const defaults = { port: 3000, fresh: false, directory: resolve('.local'), log: false };
  expect(readSettings([])).toEqual(defaults);
  expect(readSettings(['--port', '0', '--data', 'x', '--fresh', '--log'])).toEqual({
    ...{ port: 0, fresh: true, directory: resolve('x'), log: true },
  });
});

test.for([['-h'], ['--help'], ['--help', '--port', 'x']])('%j asks for the usage', (args) => {
  expect(readSettings(args)).toBeUndefined();
});

test.for([
  [['--colour'], "Unknown option '--colour'"],
  [['--port', '99999'], '--port must be 0 to 65535, not 99999'],
  [['--data'], "Option '--data <value>' argument missing"],
] as const)('%j is refused, with the usage', ([args, problem]) => {
  expect(() => readSettings(args)).toThrow(problem);
  expect(() => readSettings(args)).toThrow('usage: npm start -- [--port N]');
});

test('the options are read before anything of the service is loaded', () => {
  const importsOf = (file: string): string[] =>
    [...readFileSync(join(ROOT, 'stacks/local', file), 'utf8').matchAll(/^import .*'(.+)';$/gm)].map(
      ([, from = '']) => from,
    );
  expect(importsOf('start.ts')).toEqual(['./command-line.ts']);
  expect(importsOf('command-line.ts')).toEqual(['node:path', 'node:util']);
});

test('a machine without the local DynamoDB is told the command that starts another one', async () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
  await expect(startDynamo({ directory: null })).rejects.toThrow(
    `There is no local DynamoDB for darwin-${process.arch}. Run \`npm run dynamodb\` in another terminal (it needs Docker), ` +
      'then start this again with DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
  );
});
