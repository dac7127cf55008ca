/**
 * Loads RE2 at its first use, because most requests need none of its 150 KB. Synchronous, so that walking a path stays a
 * pure function. The bundle of a function has it in a file of its own.
 */
import { createRequire } from 'node:module';

let loaded: typeof import('re2js') | undefined;

/** Loads the module `re2js` at the first call. */
export function loadRe2(): typeof import('re2js') {
  loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return loaded;
}
