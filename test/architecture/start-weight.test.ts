/**
 * What a function loads when it starts (performance budgets, section 2): clients and libraries that most requests never
 * need are loaded where they are used, and no function of the hot path holds them.
 */
import { expect, test } from 'vitest';
import { handlerFile } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { filesOf, importedAtStart } from '#test/support/sources.ts';

/** Packages that are loaded at their first use, by whoever uses them. */
const LAZY = ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner', 'openid-client', 'file-type', 'image-size'];

/** All that a file loads before its first request: itself, and what it imports, and so on. */
function loadedBy(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const [source] = /\.ts$/.test(path) ? filesOf(path) : [];
  for (const to of source ? importedAtStart(source) : []) loadedBy(to, seen);
  return seen;
}

test('no function loads at its start what only some requests need', () => {
  const heavy = operations.flatMap((operation) => {
    const loaded = loadedBy(handlerFile(operation));
    return LAZY.filter((name) => loaded.has(name)).map((name) => `${handlerFile(operation)} → ${name}`);
  });
  expect(heavy).toEqual([]);
});

test('what is looked through is really looked through', () => {
  const loaded = loadedBy('functions/responses/submit-response.ts');
  expect(loaded).toContain('core/responses/service.ts');
  expect(loaded).toContain('@aws-sdk/client-dynamodb');
  expect(loadedBy('core/aws/s3-bucket.ts')).toContain('@aws-sdk/client-s3');
});
