/** Rules that a reader notices: opening comments, clear names, references to what exists, no test that is skipped. */
import { expect, test } from 'vitest';
import { sources } from '#test/support/sources.ts';
import { LONG } from '#test/support/suites.ts';

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

test('every file that CI skips exists', () => {
  const paths = new Set(all.map(({ path }) => path));
  expect(LONG.filter((path) => !paths.has(path))).toEqual([]);
});

test('names of files say what is in them', () => {
  const vague = all.filter(({ path }) => /(?:^|[/.-])(?:utils?|helpers?|common|misc)(?:[/.-]|$)/.test(path));
  expect(vague.map(({ path }) => path)).toEqual([]);
  const odd = all.filter(({ path }) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.ts$/.test(path.split('/').at(-1) ?? ''));
  expect(odd.map(({ path }) => path)).toEqual([]);
});

const SKIPPED = /\b(?:test|it|describe|bench|suite)\.(?:skip|only|todo|fails|skipIf|runIf)\b/;

test('no test is skipped', () => {
  expect(all.filter(({ text }) => SKIPPED.test(text)).map(({ path }) => path)).toEqual([]);
});
