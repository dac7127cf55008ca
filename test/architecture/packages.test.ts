/** Dependencies: pinned, from npm's own registry, and each with its reason in the documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from '#test/support/sources.ts';

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
  overrides: Versions,
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = Manifest.parse(JSON.parse(textOf('package.json')));
const lock = Lock.parse(JSON.parse(textOf('package-lock.json')));
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

test('versions are pinned exactly', () => {
  const loose = Object.entries({ ...direct, ...manifest.overrides }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('the lock file holds the pinned versions', () => {
  const differing = Object.entries(direct).filter(
    ([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version,
  );
  expect(differing).toEqual([]);
});

test('the lock file names no place to download from but the default registry, and a checksum for each package', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  const elsewhere = packages.filter(
    ([, { resolved, link }]) => link || (resolved && !resolved.startsWith('https://registry.npmjs.org/')),
  );
  expect(elsewhere).toEqual([]);
  expect(packages.filter(([, { integrity, inBundle }]) => !integrity && !inBundle).map(([path]) => path)).toEqual([]);
  expect(
    [...textOf('package-lock.json').matchAll(/"(?:git\+|git:|file:|http:)[^"]*"/g)].map(([found]) => found),
  ).toEqual([]);
});

describe('docs/dependencies.md gives the reason for every dependency', () => {
  const reasons = textOf('docs/dependencies.md');
  test.for(Object.keys(direct))('%s', (name) => {
    // A line of the list names the package and says why it is there.
    const line = reasons.split('\n').find((each) => each.includes(`\`${name}\``)) ?? '';
    expect(line.length, `docs/dependencies.md has a line with \`${name}\` and its reason`).toBeGreaterThan(
      name.length + 20,
    );
  });
});
