/**
 * `npm run emulator -- STAGE`: a place to try `docs/operate/deploy.md` without an account. It starts the emulator, prints
 * the environment in which commands reach it, waits for `.env.STAGE` and the parameters of its secrets, deploys the stage
 * and serves it until it is stopped, which removes everything.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { parameterName, readStage } from '#stacks/stage.ts';
import { ROOT } from '#test/support/sources.ts';
import { deploy, readSecrets, setup } from './deploy.ts';
import { commandEnvironment, startEmulator } from './ministack.ts';

const [name] = process.argv.slice(2);
if (!name) {
  console.error('usage: npm run emulator -- STAGE');
  process.exit(2);
}
console.log('Starting the emulator; at the first time this installs it, which takes a minute or two.');
const emulator = await startEmulator();
const variables = Object.entries(commandEnvironment(emulator.endpoint, '$PATH'));
console.log(`The emulator runs. In another terminal, follow docs/operate/deploy.md from step 2, after:\n
export ${variables.map(([variable, value]) => `${variable}=${value}`).join(' ')}\n`);

const [settings] = await Promise.all([untilComplete(name, join(ROOT, `.env.${name}`)), setup()]);
console.log('Deploying, which takes some minutes.');
const { url, table, bucket, remove } = await deploy(name, settings, { place: emulator });
console.log(
  `url: ${url}\ntable: ${table}\nbucket: ${bucket}\n\nCtrl-C removes the deployment; .env.${name} and .sst stay.`,
);
process.once('SIGINT', async () => {
  await remove();
  await emulator.stop();
  process.exit();
});

/** Waits for the settings of a stage and the parameters of its secrets, and says what is missing. Returns the settings. */
async function untilComplete(stage: string, file: string): Promise<Record<string, string>> {
  for (let last = ''; ; await sleep(1_000)) {
    try {
      if (!existsSync(file)) throw new Error(file);
      const found = Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([key, value = '']) => [key, value]);
      const { secrets } = readStage(stage, Object.fromEntries(found));
      const values = await readSecrets(emulator.endpoint, stage, secrets);
      const missing = secrets.filter((_, index) => values[index] === undefined);
      if (missing.length === 0) return Object.fromEntries(found);
      throw new Error(missing.map((secret) => parameterName({ name: stage }, secret)).join(', '));
    } catch (error) {
      const missing = error instanceof Error ? error.message : String(error);
      if (missing !== last) console.log(`Waiting for ${missing}`);
      last = missing;
    }
  }
}
