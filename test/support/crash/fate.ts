/** What the workers of the crash test share: a service that is killed at some request, and requests that may be cut off. */
import { type Client, ProblemError } from '#core/api/client.ts';
import type { ChildService } from '#test/support/child-service.ts';

/** One that works until the service dies, and after the restart checks what became of it. */
export type Worker = { work(client: Client, fate: Fate): Promise<void>; check(client: Client): Promise<void> };

/** Counts what was acknowledged, and kills the service when enough was; from then on every request may be cut off. */
export type Fate = { acknowledged(): void; doomed: boolean };

/** The fate of a service that is to be killed after so many acknowledged requests. */
export function fateOf(running: ChildService, after: number): Fate {
  let count = 0;
  const fate: Fate = {
    doomed: false,
    acknowledged() {
      count += 1;
      if (count !== after) return;
      fate.doomed = true;
      void running.end('SIGKILL');
    },
  };
  return fate;
}

/** Answers what a request answered, or undefined when the service died under it. Throws for a refusal. */
export async function survived<T>(fate: Fate, request: Promise<T>): Promise<T | undefined> {
  try {
    const answer = await request;
    fate.acknowledged();
    return answer;
  } catch (error) {
    if (error instanceof ProblemError || !fate.doomed) throw error;
    return undefined;
  }
}
