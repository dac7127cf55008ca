/**
 * The emulator of AWS, ministack, from the Python package registry: pinned, in a virtual environment below `.sst`. It
 * runs each Lambda function as a local Node process, needs no Docker, and keeps everything in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { ACCOUNT, REGION } from '#test/deployment/synthesis/account.ts';
import { ROOT } from '#test/support/sources.ts';
import { installPackages } from './python.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const ENVIRONMENT = join(ROOT, '.sst/ministack');
const PYTHON = join(ENVIRONMENT, 'bin/python');
/** The output of the emulator and of the functions. */
const LOG = join(ROOT, `.sst/ministack${process.env.VITEST_POOL_ID ?? ''}.log`);

/** Settings of a client of the emulator. */
export const clientSettings = (endpoint: string) => ({
  ...{ endpoint, region: REGION, credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'emulator' } },
});

/** The environment in which the commands of an operator reach an emulator; the AWS CLI is installed beside it. */
export const commandEnvironment = (endpoint: string, path = process.env.PATH) => ({
  PATH: [join(ENVIRONMENT, 'bin'), path].join(delimiter),
  AWS_ENDPOINT_URL: endpoint,
  // The scripts of `stacks/operate` use the client of the service, which reads no endpoint of the SDK.
  DYNAMODB_ENDPOINT: endpoint,
  ...{ AWS_ACCESS_KEY_ID: ACCOUNT, AWS_SECRET_ACCESS_KEY: 'emulator' },
});

/** Installs the packages of `requirements.txt` unless they are there. It needs Python 3 with its module `venv`. */
export const installEmulator = (): void => installPackages(ENVIRONMENT, REQUIREMENTS);

export type Emulator = { endpoint: string; stop: () => Promise<void> };

/** Starts the emulator on a free port. */
export async function startEmulator(): Promise<Emulator> {
  installEmulator();
  const probe = createServer();
  const port = await listen(probe, 0);
  await closeNow(probe);
  const home = mkdtempSync(join(tmpdir(), 'ministack-'));
  const log = openSync(LOG, 'w');
  // Functions inherit this environment, so it contains nothing that a function could use by mistake.
  const env = {
    PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    ...{ HOME: home, TMPDIR: home, BIND_HOST: '127.0.0.1', MINISTACK_HOST: '127.0.0.1' },
    ...{ GATEWAY_PORT: String(port), MINISTACK_ACCOUNT_ID: ACCOUNT, MINISTACK_REGION: REGION },
  };
  const child = spawn(PYTHON, ['-m', 'ministack'], { stdio: ['ignore', log, log], env });
  const ended = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  process.once('exit', () => child.kill('SIGKILL'));
  const isReady = () =>
    fetch(`${endpoint}/_ministack/health`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`ministack ended before it was ready; its output is in ${LOG}`);
    await sleep(100);
  }
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return { endpoint, stop };
}
