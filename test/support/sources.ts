/** The source files of the project as text, for the tests of the architecture, and what each imports. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The top of the project. */
export const ROOT = resolve(import.meta.dirname, '../..');

export type Source = { path: string; text: string };
/** `from` as written; `to` from the top of the project, or the name of a package. */
export type Import = { path: string; from: string; to: string; typeOnly: boolean };

const NOT_OURS = ['node_modules', '.git', '.local', '.sst', 'coverage'];

/** The files under the project that match some globs, in order of their paths. */
export const filesOf = (...globs: string[]): Source[] =>
  globSync(globs, { cwd: ROOT, exclude: NOT_OURS })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Every file of TypeScript in the project. */
export const sources = (): Source[] =>
  filesOf('{core,functions,stacks,test}/**/*.ts', '*.ts').filter(({ path }) => !path.endsWith('.d.ts'));

const STATIC = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** What a file imports. Only `import type` counts as type-only: it alone loads nothing. */
export function importsOf({ path, text }: Source): Import[] {
  const found = [
    ...[...text.matchAll(STATIC)].map(([, type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...text.matchAll(DYNAMIC)].map(([, from = '']) => ({ from, typeOnly: false })),
  ];
  return found.map(({ from, typeOnly }) => ({ path, from, to: targetOf(path, from), typeOnly }));
}

/** What a file loads when it is loaded itself: not what it imports as types, nor what it imports when it is used. */
export const importedAtStart = ({ path, text }: Source): string[] =>
  [...text.matchAll(STATIC)].flatMap(([, type, from = '']) => (type === undefined ? [targetOf(path, from)] : []));

function targetOf(path: string, from: string): string {
  if (from.startsWith('#')) return from.slice(1);
  if (from.startsWith('.')) return join(dirname(path), from);
  return from;
}
