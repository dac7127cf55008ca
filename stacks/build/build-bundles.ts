/** `node stacks/build/build-bundles.ts`: bundles every function into `.sst/bundles`, which it empties, and builds the assets. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { allFunctions } from '../functions.ts';
import { buildAssets } from './assets.ts';
import { bundle } from './bundle.ts';

const directory = join(import.meta.dirname, '../../.sst/bundles');
rmSync(directory, { recursive: true, force: true });
await Promise.all([buildAssets(), bundle(allFunctions, directory)]);
