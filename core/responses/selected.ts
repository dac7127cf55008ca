/** Does the same with several responses of a form that somebody has selected. */
import type { Ports } from '#core/db/ports.ts';
import { Problem, type ProblemCode } from '#core/problems/problems.ts';
import type { Response } from './model.ts';
import { loadResponses } from './store.ts';

/** How many responses are worked on at the same time. */
const PARALLEL = 5;

/**
 * Does something with each of some responses of a form, a few at a time. Those that are gone or belong to another form are left out,
 * and so is one for which it throws a problem with one of the codes `unless`. Returns with how many it was done.
 */
export async function eachSelected(
  { table }: Pick<Ports, 'table'>,
  { formId, responseIds, unless }: { formId: string; responseIds: readonly string[]; unless: readonly ProblemCode[] },
  act: (response: Response) => Promise<unknown>,
): Promise<number> {
  const loaded = await loadResponses(table, [...new Set(responseIds)]);
  const responses = loaded.filter((response) => response.formId === formId);
  let done = 0;
  for (let start = 0; start < responses.length; start += PARALLEL) {
    const outcomes = await Promise.all(
      responses.slice(start, start + PARALLEL).map((response) =>
        act(response).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Problem && unless.includes(error.code)) return false;
            throw error;
          },
        ),
      ),
    );
    done += outcomes.filter(Boolean).length;
  }
  return done;
}
