/** Rules that a reader notices: opening comments, clear names, nothing left undone. */
import { expect, test } from 'vitest';
import { filesOf, sources } from '#test/support/sources.ts';

const all = sources();

test('every file opens by saying what it is for', () => {
  const silent = all.filter(({ text }) => !text.startsWith('/**'));
  expect(silent.map(({ path }) => path).filter((path) => !/\.config\.ts$/.test(path))).toEqual([]);
});

test('no file cites a document that is not in the repository', () => {
  const citing = all.filter(({ text }) => /\b(?:contract|architecture|interface) sections? \d/i.test(text));
  expect(citing.map(({ path }) => path)).toEqual([]);
});

test('every file that a comment names exists', () => {
  const paths = all.map(({ path }) => `/${path}`);
  const missing = all.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, name]) =>
      paths.some((existing) => existing.endsWith(`/${name}`)) ? [] : [`${path}: ${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('concepts have one word each', () => {
  const others = /\b(?:anew|parked|unparked|upkeep|what became of|taken for dead|standsFor|isUsedUp)\b/i;
  const texts = filesOf('{core,functions,stacks}/**/*.{ts,css}', 'docs/**/*.md', 'README.md');
  expect(texts.filter(({ text }) => others.test(text)).map(({ path }) => path)).toEqual([]);
});

test('private words have given way to usual ones', () => {
  const words =
    /\b(?:anew|upkeep|what became of|taken for dead|go(?:es|ing)? on|h[eo]ld(?:s|ing)? up|is no more|from elsewhere|who may know|the thing addressed|recognizes itself|mend(?:s|ed|ing)?|graft(?:s|ed)?|standsFor|isUsedUp|closedBecause)\b/i;
  const texts = filesOf('{core,functions,stacks,test}/**/*.{ts,css}', 'docs/**/*.md', 'README.md').filter(
    ({ path }) => path !== 'test/architecture/tidiness.test.ts',
  );
  const found = texts.flatMap(({ path, text }) => text.match(words)?.map((word) => `${path}: ${word}`) ?? []);
  expect(found).toEqual([]);
});

test('texts of pages use the words of their readers', () => {
  const words =
    /\b(?:elsewhere|behind it|beside|goes with|goes? live|(?:put|kept) aside|these own|is no valid|is none|cut off|sign in in)\b/i;
  const texts = filesOf('core/pages/text/{en,*-en}.ts');
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.flatMap(({ path, text }) => text.match(words)?.map((word) => `${path}: ${word}`) ?? [])).toEqual([]);
});

test('names of files say what is in them', () => {
  const vague = all.filter(({ path }) => /(?:^|[/.-])(?:utils?|helpers?|common|misc)(?:[/.-]|$)/.test(path));
  expect(vague.map(({ path }) => path)).toEqual([]);
  const odd = all.filter(({ path }) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.ts$/.test(path.split('/').at(-1) ?? ''));
  expect(odd.map(({ path }) => path)).toEqual([]);
});

// A helper is a file that is neither a test nor run by a script of `package.json`.
test('helpers are at most 12 % of the lines of tests', () => {
  const [{ text: scripts } = { text: '' }] = filesOf('package.json');
  const countLines = (files: typeof all) => files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const tests = all.filter(({ path }) => path.startsWith('test/'));
  const helpers = tests.filter(({ path }) => !/\.(?:test|bench|fuzz)\.ts$/.test(path) && !scripts.includes(path));
  expect(countLines(helpers) / countLines(tests)).toBeLessThanOrEqual(0.12);
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
