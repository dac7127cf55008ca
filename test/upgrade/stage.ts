/** Deploys this checkout to an emulator in a process of its own, started by `upgrade.ts`; sends what it deployed. */
import { deploy, type Place, setup } from '#test/emulator/deploy.ts';

type Input = { stage: string; settings: Record<string, string>; place: Place };
const { stage, settings, place }: Input = JSON.parse(process.env.UPGRADE_STAGE ?? '{}');
await setup();
const { url, table, bucket } = await deploy(stage, settings, { place });
process.send?.({ url, table, bucket });
