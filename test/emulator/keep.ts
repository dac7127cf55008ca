/**
 * `npm run emulator -- STAGE`: a place to try `docs/operate/deploy.md` without an account. It starts the emulator, prints
 * the environment in which commands reach it, waits for `.env.STAGE` and the parameters of its secrets, deploys the stage
 * and serves it until it is stopped, which removes everything.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { parameterName, readStage } from '#stacks/settings.ts';
import { ROOT } from '#test/support/sources.ts';
import { deploy, readSecrets, setup } from './deploy.ts';
import { commandEnvironment, startEmulator } from './ministack.ts';

const [name] = process.argv.slice(2);
if (!name) {
  console.error('usage: npm run emulator -- STAGE');
  process.exit(2);
}
const emulator = await startEmulator();
const variables = Object.entries(commandEnvironment(emulator.endpoint, '$PATH'));
console.log(`The emulator runs. In another terminal, follow docs/operate/deploy.md from step 2, after:\n
export ${variables.map(([variable, value]) => `${variable}=${value}`).join(' ')}\n`);

const [settings] = await Promise.all([untilComplete(name), setup()]);
const { url, table, bucket, remove } = await deploy(name, settings, { place: emulator });
console.log(`url: ${url}\ntable: ${table}\nbucket: ${bucket}\n\nCtrl-C removes everything.`);
process.once('SIGINT', async () => {
  await remove();
  await emulator.stop();
  process.exit();
});

/** Waits for the settings of a stage and the parameters of its secrets. Returns the settings. */
async function untilComplete(stage: string): Promise<Record<string, string>> {
  const file = join(ROOT, `.env.${stage}`);
  for (let last = ''; ; await sleep(1_000)) {
    const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
    const missing = existsSync(file) ? await missingParameters(stage, settings) : file;
    if (missing === '') return Object.fromEntries(Object.entries(settings).map(([key, value = '']) => [key, value]));
    if (missing !== last) console.log(`Waiting for ${missing}`);
    last = missing;
  }
}

/** The parameters that a stage lacks, or what is wrong with its settings. */
async function missingParameters(stage: string, settings: NodeJS.Dict<string>): Promise<string> {
  try {
    const { secrets } = readStage(stage, settings);
    const values = await readSecrets(emulator.endpoint, stage, secrets);
    const missing = secrets.filter((_, index) => values[index] === undefined);
    return missing.map((secret) => parameterName({ name: stage }, secret)).join(', ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
