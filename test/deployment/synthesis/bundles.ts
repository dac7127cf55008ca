/** The bundles of all functions, which the suites of the deployment and of the emulator share. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Bundle, bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { filesOf, ROOT } from '#test/support/sources.ts';

/** Each function has a directory here. */
export const BUNDLES = join(ROOT, '.sst/tested-bundles');
/** What was bundled last, and from which sources. */
const RECORD = join(ROOT, '.sst/tested-bundles.bin');

/** Bundles every function into `BUNDLES`, unless that was done with the same sources and packages: it takes a minute or two. */
export async function bundleAll(): Promise<Bundle[]> {
  const sources = filesOf('{core,functions,stacks}/**/*.*', 'package.json', 'package-lock.json');
  const hash = createHash('sha256')
    .update(JSON.stringify([BUNDLES, sources]))
    .digest('hex');
  const last: { hash: string; bundles: Bundle[] } | undefined = existsSync(RECORD)
    ? deserialize(readFileSync(RECORD))
    : undefined;
  if (last?.hash === hash) return last.bundles;
  rmSync(RECORD, { force: true });
  rmSync(BUNDLES, { recursive: true, force: true });
  const bundles = await bundle(allFunctions, BUNDLES);
  writeFileSync(RECORD, serialize({ hash, bundles }));
  return bundles;
}
