/** Declarations and handlers belong together one to one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handlerFile, PATH_PARAMETERS, parameterNames } from '#core/api/declare.ts';
import { api, operations } from '#core/api/index.ts';
import { allWorkers, workerFile } from '#core/api/workers.ts';
import { FALLBACK } from '#stacks/functions.ts';
import { pagePlan, plan, workerPlan } from '#stacks/plan.ts';
import { pageFile, pages } from '#test/support/declared-pages.ts';
import { named, nameOf } from '#test/support/requests.ts';
import { filesOf, ROOT } from '#test/support/sources.ts';

describe('every operation has the handler file that its name says', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const file = handlerFile(declaration);
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    const module: Record<string, unknown> = await import(join(ROOT, file));
    expect(Object.keys(module)).toEqual(['handler']);
    expect(module.handler).toBeTypeOf('function');
  });
});

describe('every worker has the handler file that its name says', () => {
  test.for(allWorkers.map((each) => [each.name, each] as const))('%s', async ([name, declaration]) => {
    const [source] = filesOf(workerFile(declaration));
    expect(source?.text).toMatch(new RegExp(`[wW]orker(?:<.*>)?\\(\\s*workers\\.${name},`));
    const module: Record<string, unknown> = await import(join(ROOT, workerFile(declaration)));
    expect(Object.keys(module)).toEqual(['handler']);
  });
});

describe('every page is one file', () => {
  test.for(pages.map((each) => [each.name, each] as const))('%s', ([name, declaration]) => {
    const file = /([^/]+)\.page\.ts$/.exec(pageFile(declaration))?.[1] ?? '';
    const ofMethod = { GET: 'show', POST: 'post' }[declaration.method];
    expect(name).toBe(`${ofMethod}-${file}`.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  });

  test('with a name of its own', () => {
    expect(pages.map(({ name }) => name).sort()).toEqual([...new Set(pages.map(({ name }) => name))].sort());
  });

  test('and its module has nothing else', async () => {
    for (const file of new Set(pages.map(pageFile)))
      expect([file, Object.keys(await import(join(ROOT, file)))]).toEqual([file, ['page']]);
    for (const { file } of pagePlan) expect(Object.keys(await import(join(ROOT, file)))).toEqual(['handler']);
  });

  test('and a posted form leads back to the nearest page above it, of any audience', () => {
    const readable = new Set(pages.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
    for (const { method, path, segmentsBelowPage } of pages) {
      if (method === 'GET') continue;
      const segments = path.split('/');
      const above = segments.map((_, below) => segments.slice(0, segments.length - below).join('/') || '/');
      expect([path, above[segmentsBelowPage]]).toEqual([path, above.find((each) => readable.has(each))]);
    }
  });
});

test('every file in functions is the handler of an operation, a worker, or the pages of an audience', () => {
  const handlers = [
    ...operations.map(handlerFile),
    ...allWorkers.map(workerFile),
    ...pagePlan.map(({ file }) => file),
    FALLBACK.file,
  ];
  expect(
    filesOf('functions/**/*.*')
      .filter(({ path }) => path.endsWith('.ts'))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(handlers.sort());
});

test('an operation hands its own declaration to operation()', () => {
  const strays = operations.filter((each) => {
    const [source] = filesOf(handlerFile(each));
    return !new RegExp(`operation\\(\\s*\\w+\\.${each.name},`).test(source?.text ?? '');
  });
  expect(strays.map(nameOf)).toEqual([]);
});

test('operations are known by their noun: declarations, client and folders agree', () => {
  for (const [noun, declarations] of Object.entries(api)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      expect([declaration.noun, declaration.name]).toEqual([noun, name]);
      expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]*)*$/);
    }
  }
});

test('no two operations have the same route', () => {
  const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(routes.toSorted()).toEqual([...new Set(routes)].sort());
});

test('every path parameter is used, and every path uses only those that there are', () => {
  const used = new Set(operations.flatMap(({ path }) => parameterNames(path)));
  expect([...used].sort()).toEqual(Object.keys(PATH_PARAMETERS).sort());
});

test('words of the routes below /orgs/ cannot be slugs', () => {
  const words = operations.flatMap(({ path }) => /^\/orgs\/([a-z-]+)/.exec(path)?.[1] ?? []);
  expect(words.filter((word) => PATH_PARAMETERS.slug().safeParse(word).success)).toEqual([]);
  expect(words).toContain('me');
});

describe('the plan', () => {
  const rowsOf = (method: 'HEAD' | 'others') => plan.filter((row) => (row.method === 'HEAD') === (method === 'HEAD'));

  test('has one row for each operation', () => {
    expect(rowsOf('others').map(({ operation }) => operation)).toEqual(operations.map(nameOf));
  });

  test('routes HEAD of health and downloads to the function of GET', () => {
    const heads = rowsOf('HEAD');
    expect(heads.map(({ operation }) => operation).sort()).toEqual([
      'exports.downloadExport',
      'files.downloadFile',
      'forms.getCover',
      'health.getHealth',
    ]);
    for (const head of heads) expect(plan).toContainEqual({ ...head, method: 'GET' });
  });

  test('has one row for each worker', () => {
    expect(workerPlan.map(({ worker }) => worker)).toEqual(allWorkers.map(({ name }) => name));
  });

  test('gives a function the memory and the time that its operation declares', () => {
    const sizes = new Map(plan.map((row) => [row.operation, [row.memoryMb, row.timeoutSeconds]]));
    expect(sizes.get('exports.downloadTable')).toEqual([1_024, 29]);
    expect(sizes.get('forms.createForm')).toEqual([512, 15]);
  });
});
