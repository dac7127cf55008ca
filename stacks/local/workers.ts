/** The event sources of all workers of the plan: the table's stream, schedules, and events of sent mail. */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type WorkerRow, workerPlan } from '../plan.ts';
import { type StreamOptions, type StreamSubscription, subscribe } from './dynamo/stream.ts';
import { loadHandler, runLambda, TIMED_OUT } from './gateway/lambda.ts';
import { startSchedule } from './schedules.ts';

export type Workers = {
  /** Resolves when the workers of the stream have processed everything written so far, by themselves too. */
  drain(): Promise<void>;
  /** Ends the event sources and waits for runs to end, at most 5 seconds: an export takes longer, and begins again. */
  stop(): Promise<void>;
};

const STOP_MS = 5_000;

/** Starts the workers of the stream and of schedules. */
export function startWorkers(options: StreamOptions, rows: readonly WorkerRow[] = workerPlan): Workers {
  const subscriptions: StreamSubscription[] = [];
  const stops: (() => Promise<void>)[] = [];
  for (const row of rows) {
    const { source, worker: name } = row;
    const invoke = invoker(row);
    if (source.type === 'stream') subscriptions.push(subscribe({ ...source, name, invoke }, options));
    if (source.type === 'schedule') stops.push(startSchedule(name, source.rate, invoke));
  }
  const read = (): number => subscriptions.reduce((total, { count }) => total + count(), 0);
  return {
    async drain() {
      let before: number;
      do {
        before = read();
        await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      } while (read() > before);
    },
    async stop() {
      const stopped = Promise.all([...stops, ...subscriptions.map(({ stop }) => stop)].map((stop) => stop()));
      await Promise.race([stopped, wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * Starts the workers in a thread with the environment that the process has now. `onFailure` receives the error that has ended
 * it.
 */
export function startWorkerThread(options: StreamOptions, onFailure: (error: unknown) => void): Workers {
  const thread = new Worker(new URL('./worker-thread.ts', import.meta.url), { workerData: options });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  thread.on('error', onFailure);
  return {
    async drain() {
      const drained = new Promise<void>((resolve) => thread.once('message', () => resolve()));
      thread.postMessage('drain');
      await Promise.race([drained, ended]);
    },
    async stop() {
      thread.postMessage('stop');
      await ended;
    },
  };
}

/** Runs the workers that receive the events of sent mail. Failures are logged. */
export async function deliverMailEvent(event: object): Promise<void> {
  for (const row of workerPlan.filter(({ source }) => source.type === 'mail-events')) {
    await invoker(row)(event).catch((error: unknown) => console.error(`${row.worker} failed:`, error));
  }
}

/** Returns a function that runs a worker with an event in this process. It throws when the worker fails or times out. */
export function invoker({ worker: name, file, timeoutSeconds, memoryMb }: WorkerRow) {
  const lambda = { name, handler: loadHandler(file), timeoutMs: timeoutSeconds * 1_000, memoryMb };
  return async (event: object): Promise<unknown> => {
    const result = await runLambda(lambda, JSON.stringify(event));
    if (result === TIMED_OUT) throw new Error(`The worker ${name} did not return within ${timeoutSeconds} s.`);
    return JSON.parse(result);
  };
}
