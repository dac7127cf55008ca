/** `node stacks/build-bundles.ts DIRECTORY`: bundles every function into the directory, and builds the assets. */
import { rmSync } from 'node:fs';
import { bundle } from './bundle.ts';
import { allFunctions } from './functions.ts';
import { buildAssets } from './pages/build.ts';

const [directory] = process.argv.slice(2);
if (!directory) throw new Error('usage: node stacks/build-bundles.ts DIRECTORY');
rmSync(directory, { recursive: true, force: true });
await Promise.all([buildAssets(), bundle(allFunctions, directory)]);
