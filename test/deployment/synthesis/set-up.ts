/** Before all tests of the deployment: SST's components, the bundle of every function, and the resources of the stages. */
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildAssets } from '#stacks/build/assets.ts';
import { type Bundle, bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { ROOT } from '#test/support/sources.ts';
import { installPlatform } from './platform.ts';
import { STAGES, type StageName } from './stages.ts';
import { type Synthesized, synthesize } from './synthesize.ts';

declare module 'vitest' {
  interface ProvidedContext {
    bundles: Bundle[];
    production: Synthesized;
    alice: Synthesized;
    restored: Synthesized;
    settings: Record<StageName, Record<string, string>>;
  }
}

export async function setup({ provide }: TestProject): Promise<void> {
  installPlatform();
  const bundles = join(ROOT, '.sst/bundles');
  const [built] = await Promise.all([bundle(allFunctions, bundles), buildAssets()]);
  provide('bundles', built);
  provide('settings', STAGES);
  provide('production', await synthesize('production', STAGES.production, bundles));
  provide('alice', await synthesize('alice', STAGES.alice, bundles));
  provide('restored', await synthesize('restored', STAGES.restored, bundles));
}
