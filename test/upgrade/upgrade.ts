/**
 * An upgrade: the baseline is deployed to an emulator of AWS, this commit beside it on the same table and bucket, as
 * functions of both versions work for the minutes of a deployment. Each version then uses what the other one wrote.
 * `baseline.txt` names the baseline (`docs/operate/upgrade.md`).
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Deployment, type Place, startServices } from '#test/emulator/deploy.ts';
import { startEmulator } from '#test/emulator/ministack.ts';
import { ROOT } from '#test/support/sources.ts';

type Stage = Pick<Deployment, 'url' | 'table' | 'bucket'> & { checkout: string; operator: string };

const baseline = readFileSync(join(import.meta.dirname, 'baseline.txt'), 'utf8').trim();
const checkout = join(ROOT, '.sst/baseline');

/** Whether git has the baseline here: a shallow clone, or a copy without git, does not. */
function hasBaseline(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${baseline}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes the files of the baseline to its checkout. It shares the packages if it has the same, and SST's components. */
function checkOut(): void {
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(checkout, { recursive: true });
  const archive = execFileSync('git', ['archive', baseline], { cwd: ROOT, maxBuffer: 1_000_000_000 });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  const [ours, theirs] = [ROOT, checkout].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (ours === theirs) symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'inherit' });
}

/** Starts the process that deploys a checkout; it runs as long as this one. */
async function startStage(name: string, root: string, operator: string, place: Place): Promise<Stage> {
  const settings = { ...services.settings, OPERATOR_EMAILS: operator };
  const child = fork(join(root, 'test/upgrade/stage.ts'), {
    cwd: root,
    env: { ...process.env, UPGRADE_STAGE: JSON.stringify({ stage: name, settings, place }) },
  });
  process.once('exit', () => child.kill());
  const [deployed] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof deployed !== 'object') throw new Error(`the deployment of ${name} ended with ${deployed}`);
  return { ...deployed, checkout: root, operator };
}

/** Runs a step in the checkout of a stage; `scene` is the file of the scene that it writes or uses. */
async function run(step: 'create' | 'use', { url, table, bucket, ...stage }: Stage, scene: string): Promise<void> {
  const environment = {
    ...{ ...services.settings, OPERATOR_EMAILS: stage.operator, LOG: 'off', SCENE: scene },
    ...{ SERVICE_URL: url, PUBLIC_URL: url, TABLE_NAME: table, BUCKET_NAME: bucket },
    ...{ DYNAMODB_ENDPOINT: emulator.endpoint, S3_ENDPOINT: emulator.endpoint, SES_ENDPOINT: emulator.endpoint },
  };
  const child = spawn('npx', ['vitest', 'run', '--config', 'vitest.upgrade.config.ts', `test/upgrade/${step}`], {
    cwd: stage.checkout,
    env: { ...process.env, UPGRADE_ENVIRONMENT: JSON.stringify(environment) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${step} failed in ${stage.checkout}`);
}

if (!hasBaseline()) {
  console.log(`SKIPPED: this clone does not have the baseline ${baseline}; a full clone has it.`);
  process.exit(0);
}
const startedAt = Date.now();
checkOut();
const [emulator, services] = await Promise.all([startEmulator(), startServices()]);
const scenes = mkdtempSync(join(tmpdir(), 'upgrade-'));
const [older, newer] = [join(scenes, 'older.json'), join(scenes, 'newer.json')];
let failure: unknown;
try {
  const before = await startStage('before', checkout, 'oscar@example.org', emulator);
  await run('create', before, older);
  const after = await startStage('after', ROOT, 'olga@example.org', { ...emulator, shared: before });
  await run('use', after, older);
  await run('create', after, newer);
  await run('use', before, newer);
} catch (error) {
  failure = error;
}
rmSync(scenes, { recursive: true });
await Promise.all([emulator.stop(), services.stop()]);
console.log(`The upgrade took ${Math.round((Date.now() - startedAt) / 1_000)} seconds.`);
if (failure) console.error(failure);
process.exit(failure ? 1 : 0);
