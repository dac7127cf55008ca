/**
 * What a function loads when it starts: clients and libraries that most requests never need are loaded at their first
 * use, so that no cold start pays for them.
 */
import { expect, test } from 'vitest';
import { handlerFile } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { PAGE_ROUTES } from '#stacks/page-routes.ts';
import { pagePlan } from '#stacks/plan.ts';
import { importedAtStart, sources } from '#test/support/sources.ts';

/** Packages that are loaded at their first use. */
const LAZY = [
  '@dagrejs/dagre',
  '@aws-sdk/client-s3',
  '@aws-sdk/client-ses',
  '@aws-sdk/s3-request-presigner',
  'openid-client',
  'file-type',
  'image-size',
];

const importsByPath = new Map(sources().map((source) => [source.path, importedAtStart(source)]));

/** Everything that a file loads at its start: its imports, their imports, and so on. */
function loadedBy(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const to of importsByPath.get(path) ?? []) loadedBy(to, seen);
  return seen;
}

test('no function loads at its start what only some requests need', () => {
  const pageFiles = [
    ...pagePlan.map(({ file }) => file),
    ...Object.values(PAGE_ROUTES).flatMap(({ files }) => Object.values(files)),
  ];
  const heavy = [...operations.map(handlerFile), ...pageFiles].flatMap((file) => {
    const loaded = loadedBy(file);
    return LAZY.filter((name) => loaded.has(name)).map((name) => `${file} → ${name}`);
  });
  expect(heavy).toEqual([]);
});

test('the search follows the imports', () => {
  const loaded = loadedBy('functions/responses/submit-response.ts');
  expect(loaded).toContain('core/responses/change.ts');
  expect(loaded).toContain('@aws-sdk/client-dynamodb');
  expect(loadedBy('core/aws/s3-bucket.ts')).toContain('@aws-sdk/client-s3');
});
