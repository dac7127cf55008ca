/**
 * The order of modules: each may import from itself and from the modules before it in the list, so no modules import
 * each other, and neither do the files of a module. Type-only imports count.
 */
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, sources } from '#test/support/sources.ts';

const ORDER = [
  'core/schema',
  'core/rich-text',
  'core/problems',
  'core/db',
  'core/jobs',
  'core/access',
  'core/accounts',
  'core/organizations',
  'core/structure',
  'core/forms',
  'core/responses',
  'core/counts',
  'core/files',
  'core/table',
  'core/views',
  'core/exports',
  'core/definitions',
  'core/mail',
  'core/sheets',
  'core/deletion',
  'core/invitations',
  'core/workers',
  'core/identity',
  'core/api',
  'core/google',
  'core/aws',
  'core/http',
  'core/pages/text',
  'core/pages/shell',
  'core/pages/fields',
  'core/pages/respondent',
  'core/pages/review',
  'core/pages/organizers',
  'core/pages/builder',
  'core/pages/browser',
  'functions',
  'stacks',
  'stacks/aws',
  'stacks/operate',
  'stacks/build',
  'stacks/local',
  'test',
] as const;

const rankOf = (path: string): number => ORDER.findLastIndex((module) => path.startsWith(`${module}/`));

const isOurs = ({ to }: Import): boolean => /^(?:core|functions|stacks|test)\//.test(to);
const all: readonly Import[] = sources()
  .filter(({ path }) => path.includes('/'))
  .flatMap(importsOf)
  .filter(isOurs);

/** Whether an import is of a later module. */
const isOfLaterModule = ({ path, to }: Import): boolean => rankOf(to) > rankOf(path);

describe('the order of modules', () => {
  test('every file belongs to a module of the list', () => {
    const unlisted = [...new Set(all.flatMap(({ path, to }) => [path, to]).filter((path) => rankOf(path) < 0))];
    expect(unlisted).toEqual([]);
  });

  test('no module imports a later one', () => {
    const backwards = all.filter(isOfLaterModule).map(({ path, to }) => `${path} → ${to}`);
    expect([...new Set(backwards)]).toEqual([]);
  });

  test('no files import each other, not even over others', () => {
    const ours = all.filter(({ path }) => !path.startsWith('test/'));
    const imports = Map.groupBy(ours, ({ path }) => path);
    // Files that import nothing of ours, and those that nothing imports, are in no ring; nor are those then left so.
    for (let before = Infinity; imports.size < before; ) {
      before = imports.size;
      const imported = new Set([...imports.values()].flatMap((ofFile) => ofFile.map(({ to }) => to)));
      for (const [path, ofFile] of imports)
        if (!imported.has(path) || !ofFile.some(({ to }) => imports.has(to))) imports.delete(path);
    }
    expect([...imports.keys()]).toEqual([]);
  });

  test('no handler imports another handler', () => {
    const handlers = all.filter(({ path, to }) => path.startsWith('functions/') && to.startsWith('functions/'));
    expect(handlers).toEqual([]);
  });

  test('no page imports another page', () => {
    const imported = all.filter(({ path, to }) => path.startsWith('core/') && to.endsWith('.page.ts'));
    expect(imported).toEqual([]);
  });
});

const packagesOf = (prefix: string): Set<string> =>
  new Set(
    sources()
      .filter(({ path }) => path.startsWith(prefix))
      .flatMap(importsOf)
      .filter((one) => !isOurs(one))
      .map(({ to }) => to),
  );

describe('what only some modules may use', () => {
  test('only core/aws imports the AWS SDK', () => {
    const importers = sources()
      .filter(({ path }) => /^(?:core|functions)\//.test(path))
      .flatMap(importsOf)
      .filter(({ to }) => to.startsWith('@aws-sdk/') || to.startsWith('@smithy/'))
      .map(({ path }) => path);
    expect(importers.filter((path) => !path.startsWith('core/aws/'))).toEqual([]);
  });

  test('only core/aws reads the environment', () => {
    const readers = sources()
      .filter(({ path, text }) => /^(?:core|functions)\//.test(path) && text.includes('process.env'))
      .map(({ path }) => path);
    expect(readers.filter((path) => !path.startsWith('core/aws/'))).toEqual([]);
  });

  test('the values below all other modules need zod only, and no I/O of Node', () => {
    expect(packagesOf('core/schema/')).toEqual(new Set(['zod', 'node:crypto']));
    expect(packagesOf('core/rich-text/')).toEqual(new Set(['zod']));
    expect(packagesOf('core/problems/')).toEqual(new Set());
  });
});
