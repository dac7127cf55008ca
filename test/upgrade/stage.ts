/** Deploys this checkout to an emulator in a process of its own, started by `upgrade.ts`; sends what it deployed. */
import { join } from 'node:path';
import { buildAssets } from '#stacks/build/assets.ts';
import { bundle } from '#stacks/build/bundle.ts';
import { allFunctions } from '#stacks/functions.ts';
import { deploy, type Place } from '#test/emulator/deploy.ts';
import { ROOT } from '#test/support/sources.ts';

type Input = { stage: string; settings: Record<string, string>; place: Place };
const { stage, settings, place }: Input = JSON.parse(process.env.UPGRADE_STAGE ?? '{}');
const bundles = join(ROOT, `.sst/bundles.${stage}`);
await Promise.all([bundle(allFunctions, bundles), buildAssets()]);
const { url, table, bucket } = await deploy(stage, bundles, settings, { place });
process.send?.({ url, table, bucket });
