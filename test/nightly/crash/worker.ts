/** What the workers of the crash test share: a run that ends with a kill, and requests that the kill may cut off. */
import { expect } from 'vitest';
import { type Client, ProblemError } from '#core/api/client.ts';
import type { ChildService } from '#test/support/child-service.ts';

/** Works until the service is killed, and after the restart checks what is stored. */
export type Worker = { work(client: Client, run: Run): Promise<void>; check(client: Client): Promise<void> };

/** A run of the service: sends requests until it is killed. */
export type Run = { attempt<T>(request: Promise<T>): Promise<T> };

/** The kill cut off a request. */
class CutOff extends Error {}

/** A run that is killed after `killAfter` acknowledged requests. */
export function runOf(service: ChildService, killAfter: number): Run {
  let count = 0;
  return {
    async attempt(request) {
      const result = await request.catch((error: unknown) => {
        throw error instanceof ProblemError || count < killAfter ? error : new CutOff();
      });
      count += 1;
      if (count === killAfter) void service.end('SIGKILL');
      return result;
    },
  };
}

/** Repeats some work until the kill cuts it off, or it is done. */
export async function untilKilled(work: () => Promise<unknown>, isDone = () => false): Promise<void> {
  try {
    while (!isDone()) await work();
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
  }
}

/** A request about a response and the state that it leads to. It can be repeated with another client. */
export type Step<State> = { leadsTo: State; request: (client: Client) => Promise<unknown> };

/**
 * A worker that takes the steps of each round with a response of its own. After a restart, the step that was cut off has
 * happened wholly or not at all, and has happened once it is repeated. `read` reads the stored state.
 */
export function repeating<State>(
  formId: string,
  initial: State,
  stepsOf: (responseId: string, round: number, known: State) => Step<State>[],
  read: (client: Client, responseId: string) => Promise<State>,
): Worker {
  let [known, responseId, round] = [initial, '', 0];
  let pending: Step<State> | undefined;
  return {
    async work(client, run) {
      const started = async () => (await run.attempt(client.responses.startResponse({ params: { formId } }))).body.id;
      await untilKilled(async () => {
        responseId ||= await started();
        round += 1;
        for (const step of stepsOf(responseId, round, known)) {
          pending = step;
          await run.attempt(step.request(client));
          [known, pending] = [step.leadsTo, undefined];
        }
      });
    },
    async check(client) {
      if (responseId === '') return;
      expect(pending ? [known, pending.leadsTo] : [known]).toContainEqual(await read(client, responseId));
      if (!pending) return;
      // A step that happened may be refused the second time: nothing is left to cancel.
      await pending.request(client).catch((error: unknown) => {
        if (!(error instanceof ProblemError && error.problem.status === 400)) throw error;
      });
      [known, pending] = [pending.leadsTo, undefined];
      expect(await read(client, responseId)).toEqual(known);
    },
  };
}
