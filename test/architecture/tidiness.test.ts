/** Rules that a reader notices: small files and functions, clear names, nothing left undone, no private vocabulary. */
import { expect, test } from 'vitest';
import { filesOf, functionsOf, sources } from '#test/support/sources.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 40;

const all = sources();

test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  expect(long.filter(({ lines }) => lines > MAX_FILE_LINES)).toEqual([]);
});

// The body of a test may be longer.
const TEST_BODY = /\b(?:test|it|describe|beforeAll|beforeEach|afterAll|afterEach|bench)\b.*\(|^\}?\)?\(/;

test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
  const long = all.flatMap(functionsOf).filter(({ lines }) => lines > MAX_FUNCTION_LINES);
  const ofCode = long.filter(({ path, text }) => !(path.startsWith('test/') && TEST_BODY.test(text)));
  expect(ofCode).toEqual([]);
});

test('the measure of functions sees every kind of them', () => {
  const text = [
    'export async function first(',
    '  one: string,',
    '): Promise<void> {',
    '  if (one) {',
    '    return;',
    '  }',
    '}',
    'const second = (a) => {',
    '  use(a);',
    '};',
    'const third = {',
    '  method(a, b) {',
    '    use(a, b);',
    '  },',
    '};',
  ].join('\n');
  expect(functionsOf({ path: 'x.ts', text }).map(({ line, lines }) => [line, lines])).toEqual([
    [1, 7],
    [8, 3],
    [12, 3],
  ]);
});

test('every file opens by saying what it is for', () => {
  const silent = all.filter(({ text }) => !text.startsWith('/**'));
  expect(silent.map(({ path }) => path).filter((path) => !/\.config\.ts$/.test(path))).toEqual([]);
});

test('no file cites a document that is not in the repository', () => {
  const citing = all.filter(({ text }) => /\b(?:contract|architecture|interface) sections? \d/i.test(text));
  expect(citing.map(({ path }) => path)).toEqual([]);
});

test('names of files say what is in them', () => {
  const vague = all.filter(({ path }) => /(?:^|[/.-])(?:utils?|helpers?|common|misc)(?:[/.-]|$)/.test(path));
  expect(vague.map(({ path }) => path)).toEqual([]);
  const odd = all.filter(({ path }) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.ts$/.test(path.split('/').at(-1) ?? ''));
  expect(odd.map(({ path }) => path)).toEqual([]);
});

// Put together here, so that this file does not find itself.
const UNDONE = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'X'.repeat(3)].join('|')})\\b`);
const SKIPPED = /\b(?:test|it|describe|bench|suite)\.(?:skip|only|todo|fails|skipIf|runIf)\b/;

test('nothing is left undone', () => {
  const texts = filesOf(
    '{core,functions,stacks,test}/**/*.{ts,json,html,css,js}',
    '*.{ts,json,md}',
    '.github/**/*.yml',
  );
  const undone = texts.filter(({ path, text }) => path !== 'package-lock.json' && UNDONE.test(text));
  expect(undone.map(({ path }) => path)).toEqual([]);
});

test('no test is skipped', () => {
  expect(all.filter(({ text }) => SKIPPED.test(text)).map(({ path }) => path)).toEqual([]);
});
