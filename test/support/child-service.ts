/** The real service as a process of its own, on a data directory of its own, for tests that end it without warning. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Client, createClient } from '#core/api/client.ts';
import { ROOT } from './sources.ts';

export type ChildService = Awaited<ReturnType<typeof startChild>>;

/** The command line of `npm start` on a data directory and a free port. */
export const startCommand = (directory: string, ...options: string[]): string[] => [
  join(ROOT, 'stacks/local/start.ts'),
  ...['--port', '0', '--data', directory],
  ...options,
];

/** The environment of a user's shell: that of the tests names their emulators, and the service must start its own. */
export const shellEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
};

/** Starts the service and waits until it is ready. Throws with its output when it ends before. */
export const startChild = (directory: string, ...options: string[]) => startChildWith({}, directory, ...options);

/** The same with variables of the user's environment. */
export async function startChildWith(variables: Record<string, string>, directory: string, ...options: string[]) {
  const child = spawn(process.execPath, startCommand(directory, ...options), {
    env: { ...shellEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await untilReady(child);
  return {
    url,
    /** A client that is signed in by user ID. */
    clientOf: async (uid: string): Promise<Client> => createClient({ baseUrl: url, token: await signIn(url, uid) }),
    /** Ends the process at once (SIGKILL) or in order (SIGTERM), and waits until it is gone. */
    end: async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

/** Waits for the line with the address of a starting service, and returns the address. */
export function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, url] = /^ready (\S+)$/m.exec(output) ?? [];
      if (url) resolve(url);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)));
  });
}

/** Signs in as a browser does, and returns the access token of its cookie. */
export async function signIn(url: string, uid: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login/internal`, { method: 'POST', body: JSON.stringify({ uid }) });
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('access_token='));
  const token = /^access_token=([^;]+)/.exec(cookie ?? '')?.[1];
  if (!token) throw new Error(`${uid} could not sign in: ${response.status} ${await response.text()}`);
  return token;
}
