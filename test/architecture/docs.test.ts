/** The documentation: links lead somewhere, commands and files exist, and generated tables are current. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { operations } from '#core/api/index.ts';
import { generatedDocs } from '#stacks/build/docs.ts';
import { BEHAVIOUR } from '#stacks/build/openapi/behaviour.ts';
import { ROOT } from '#test/support/sources.ts';

const FILES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
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
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(180);
});

test('the README leads to every document', () => {
  const readme = textOf('README.md');
  expect(FILES.filter((file) => file.startsWith('docs/') && !readme.includes(`(${file})`))).toEqual([]);
});

test('generated tables are up to date: run `npm run generate` after changing what they show', () => {
  expect(generatedDocs().filter(({ text, current }) => text !== current)).toEqual([]);
});

test('the behaviour that is described belongs to operations', () => {
  const names = new Set(operations.map(({ noun, name }) => `${noun}.${name}`));
  expect(Object.keys(BEHAVIOUR).filter((name) => !names.has(name))).toEqual([]);
});
