/**
 * Loads the parser and the writer of Markdown at their first use: 115 KB that only pages of authors need. Synchronous, so
 * that pages stay pure functions. The bundle of a function has them in a file of its own.
 */
import { createRequire } from 'node:module';

let loaded: typeof import('./markdown.ts') | undefined;

/** Loads the module `markdown.ts` at the first call. */
export function loadMarkdown(): typeof import('./markdown.ts') {
  loaded ??= createRequire(import.meta.url)('./markdown.ts') as typeof import('./markdown.ts');
  return loaded;
}
