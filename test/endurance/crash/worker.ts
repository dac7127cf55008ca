/** What the workers of the crash test share: a run that ends with a kill, and requests that the kill may cut off. */
import { expect } from 'vitest';
import { type Client, ProblemError } from '#core/api/client.ts';
import type { ChildService } from '#test/support/child-service.ts';

/** Works until the service is killed, and after the restart checks what is stored. */
export type Worker = { work(client: Client, run: Run): Promise<void>; check(client: Client): Promise<void> };

/** A run of the service: counts acknowledged requests, and kills it after a number of them. */
export type Run = { isKilled: boolean; acknowledge(): void };

/** A run that is killed after `killAfter` acknowledged requests. */
export function runOf(service: ChildService, killAfter: number): Run {
  let count = 0;
  const run: Run = {
    isKilled: false,
    acknowledge() {
      count += 1;
      if (count !== killAfter) return;
      run.isKilled = true;
      void service.end('SIGKILL');
    },
  };
  return run;
}

/** The result of a request; undefined if the kill cut it off. Throws for a refusal. */
export async function attempt<T>(run: Run, request: Promise<T>): Promise<T | undefined> {
  try {
    const result = await request;
    run.acknowledge();
    return result;
  } catch (error) {
    if (error instanceof ProblemError || !run.isKilled) throw error;
    return undefined;
  }
}

/** A request and the state that it leads to. It can be repeated with another client. */
export type Step<State> = { leadsTo: State; request: (client: Client) => Promise<unknown> };

/** The state that was acknowledged last, and the step that was cut off. */
export type Progress<State> = { known: State; pending?: Step<State> };

/** Takes steps one after the other; false if the kill cut one off. */
export async function takeSteps<State>(
  client: Client,
  run: Run,
  progress: Progress<State>,
  steps: readonly Step<State>[],
): Promise<boolean> {
  for (const step of steps) {
    progress.pending = step;
    const done = await attempt(
      run,
      step.request(client).then(() => true),
    );
    if (!done) return false;
    progress.known = step.leadsTo;
    delete progress.pending;
  }
  return true;
}

/**
 * Checks that a step that was cut off happened wholly or not at all, and that it has happened once it is repeated.
 * `read` reads the stored state.
 */
export async function checkProgress<State>(
  client: Client,
  progress: Progress<State>,
  read: () => Promise<State>,
): Promise<void> {
  const { known, pending } = progress;
  expect(pending ? [known, pending.leadsTo] : [known]).toContainEqual(await read());
  if (!pending) return;
  // A step that happened may be refused the second time: nothing is left to cancel.
  await pending.request(client).catch((error: unknown) => {
    if (!(error instanceof ProblemError && error.problem.status === 400)) throw error;
  });
  expect(await read()).toEqual(pending.leadsTo);
  progress.known = pending.leadsTo;
  delete progress.pending;
}
