/** The real service as a process of its own, for tests that end it without warning: `npm start` on a directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Client, createClient } from '#core/api/client.ts';

export type ChildService = {
  url: string;
  /** A client that is signed in by user id. */
  clientOf(uid: string): Promise<Client>;
  /** Ends the process at once (SIGKILL) or in order (SIGTERM), and waits until it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** Starts the service on a data directory and waits until it says that it is ready. Throws with what it said instead. */
export async function startChild(directory: string, options: { fresh?: boolean } = {}): Promise<ChildService> {
  const args = ['stacks/local/start.ts', '--port', '0', '--data', directory, ...(options.fresh ? ['--fresh'] : [])];
  const { PATH = '', HOME = '' } = process.env;
  // The environment of the tests names their emulator; the service must start its own.
  const child = spawn(process.execPath, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await ready(child);
  return {
    url,
    clientOf: async (uid) => createClient({ baseUrl: url, token: await signIn(url, uid) }),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, url] = /^ready (\S+)$/m.exec(said) ?? [];
      if (url) resolve(url);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${said}`)));
  });
}

/** Signs in as a browser does, and takes the access token out of its cookie. */
async function signIn(url: string, uid: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login/internal`, { method: 'POST', body: JSON.stringify({ uid }) });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('access_token='));
  const token = /^access_token=([^;]+)/.exec(cookie ?? '')?.[1];
  if (!token) throw new Error(`${uid} could not sign in: ${answer.status} ${await answer.text()}`);
  return token;
}
