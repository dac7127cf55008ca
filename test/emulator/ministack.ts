/**
 * The emulator of AWS, ministack, from the Python package registry: pinned, in a virtual environment below `.sst`. It
 * runs each Lambda function as a local Node process, needs no Docker, and keeps everything in memory.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { ROOT } from '#test/support/sources.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const ENVIRONMENT = join(ROOT, '.sst/ministack');
const PYTHON = join(ENVIRONMENT, 'bin/python');
/** A copy of the requirements that are installed. */
const INSTALLED = join(ENVIRONMENT, 'requirements.txt');
const LOG = join(ROOT, `.sst/ministack${process.env.VITEST_POOL_ID ?? ''}.log`);

export const ACCOUNT = '123456789012';
export const REGION = 'eu-central-1';

/** The ARN of a resource of the emulated account. */
export const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** Settings of a client of the emulator. */
export const clientSettings = (endpoint: string) => ({
  endpoint,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'emulator' },
});

/** The environment in which the commands of an operator reach an emulator; the AWS CLI is installed beside it. */
export const commandEnvironment = (endpoint: string, path = process.env.PATH) => ({
  PATH: [join(ENVIRONMENT, 'bin'), path].join(delimiter),
  AWS_ENDPOINT_URL: endpoint,
  // The scripts of `stacks/operate` use the client of the service, which reads no endpoint of the SDK.
  DYNAMODB_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: ACCOUNT,
  AWS_SECRET_ACCESS_KEY: 'emulator',
});

/** Installs the packages of `requirements.txt` unless they are there. It needs Python 3 with its module `venv`. */
export function installEmulator(): void {
  const required = readFileSync(REQUIREMENTS, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === required) return;
  const run = (command: string, ...options: string[]) => execFileSync(command, options, { stdio: 'inherit' });
  run('python3', '-m', 'venv', '--clear', ENVIRONMENT);
  run(PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS);
  copyFileSync(REQUIREMENTS, INSTALLED);
}

export type Emulator = { endpoint: string; stop: () => Promise<void> };

/** Starts the emulator on a free port. Its output, with that of the functions, goes to `.sst/ministack*.log`. */
export async function startEmulator(): Promise<Emulator> {
  installEmulator();
  const port = await freePort();
  const temporary = mkdtempSync(join(tmpdir(), 'ministack-'));
  const log = openSync(LOG, 'w');
  const child = spawn(PYTHON, ['-m', 'ministack'], {
    stdio: ['ignore', log, log],
    // Functions inherit this environment, so it contains nothing that a function could use by mistake.
    env: {
      PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      HOME: temporary,
      TMPDIR: temporary,
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
    },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill);
    await end(child);
    rmSync(temporary, { recursive: true, force: true });
  };
  await untilReady(child, endpoint).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { endpoint, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function untilReady(child: ChildProcess, endpoint: string): Promise<void> {
  while (child.exitCode === null) {
    const isReady = await fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  throw new Error(`ministack ended before it was ready; its output is in ${LOG}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  await closeNow(server);
  return port;
}
