/**
 * Stands for AWS before the emulator: every function has an endpoint of its own, which passes requests on and records
 * the calls, so that they can be compared with the permissions of the function.
 */
import { closeNow, listen } from '#stacks/local/gateway/listening.ts';
import { type Call, callsOf } from './calls.ts';
import { passOn } from './pass-on.ts';

export type Recorder = {
  /** The endpoints by function. */
  endpoints: Readonly<Record<string, string>>;
  /** The calls of each function so far, equal ones once. */
  calls: ReadonlyMap<string, ReadonlyMap<string, Call>>;
  stop: () => Promise<void>;
};

/** Starts an endpoint for each function in front of the emulator. */
export async function startRecorder(functions: readonly string[], emulator: string): Promise<Recorder> {
  const calls = new Map<string, Map<string, Call>>();
  const started = await Promise.all(
    functions.map(async (name) => {
      const recorded = new Map<string, Call>();
      calls.set(name, recorded);
      const server = passOn(emulator, (request) => {
        for (const call of callsOf(request)) recorded.set(JSON.stringify(call), call);
        return request.url;
      });
      return { name, server, endpoint: `http://127.0.0.1:${await listen(server, 0)}` };
    }),
  );
  return {
    endpoints: Object.fromEntries(started.map(({ name, endpoint }) => [name, endpoint])),
    calls,
    stop: async () => {
      await Promise.all(started.map(({ server }) => closeNow(server)));
    },
  };
}
