/** The documentation: links lead somewhere, commands and files exist, and generated tables are current. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { operations } from '#core/api/index.ts';
import { generatedDocs } from '#stacks/build/docs.ts';
import { BEHAVIOUR } from '#stacks/build/openapi/behaviour.ts';
import { ROOT } from '#test/support/sources.ts';

const FILES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'client/README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
];
/** A decision, `docs/decisions/0001-title.md`: their index leads to them. */
const DECISION = /^docs\/decisions\/\d/;
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(textOf('package.json')));

/** The anchors of headings, as code hosts make them. */
const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.for(FILES)('%s', (file) => {
  const text = textOf(file);

  test('has no link that leads nowhere', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names only scripts and files that exist', () => {
    const commands = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    const paths = [...text.matchAll(/`((?:core|functions|stacks|test|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test('the README is a way in, not an archive', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150);
});

test('the README leads to every document', () => {
  const readme = textOf('README.md');
  const documents = FILES.filter((file) => file !== 'README.md' && !DECISION.test(file));
  expect(documents.filter((file) => !readme.includes(`(${file})`))).toEqual([]);
});

describe('the decisions', () => {
  const decisions = FILES.filter((file) => DECISION.test(file)).toSorted();

  test('are listed in their index, and numbered without gaps', () => {
    const index = textOf('docs/decisions/README.md');
    expect(decisions.filter((file) => !index.includes(`(${basename(file)})`))).toEqual([]);
    expect(decisions.map((file) => Number(basename(file).slice(0, 4)))).toEqual(decisions.map((_, at) => at + 1));
  });

  test.for(decisions)('%s has a date, a state, its context and its consequence', (file) => {
    expect(textOf(file)).toMatch(
      /^# \d+\. .+\n\n- Date: \d{4}-\d\d-\d\d\n- State: (?:accepted|superseded by \[.+)\n\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequence\n/,
    );
  });
});

test('generated tables are up to date: run `npm run generate` after changing what they show', () => {
  expect(generatedDocs().filter(({ text, current }) => text !== current)).toEqual([]);
}, 120_000);

test('the behaviour that is described belongs to operations', () => {
  const names = new Set(operations.map(({ noun, name }) => `${noun}.${name}`));
  expect(Object.keys(BEHAVIOUR).filter((name) => !names.has(name))).toEqual([]);
});
