/** Saves of forms that people have filled in: nothing that somebody else has stored in the meantime is replaced unseen. */
import type { RequestApp } from '#core/http/app.ts';
import { Problem, problems } from '#core/problems/problems.ts';

/** How often a save reads again before its problem is shown. */
const MAX_READS = 3;

/** An app whose changes are refused with 409 as soon as the resource has another version. */
export const onlyAtVersion = (app: RequestApp, version: number): RequestApp => ({
  ...app,
  ifMatch: (current) => {
    if (current !== version) throw problems.stale();
  },
});

/**
 * Runs `save` for what was read, and again for what `reload` reads when it has changed since, so that the new state is
 * compared with what was typed. Throws what `save` throws.
 */
export async function saveUnchanged<T, R>(
  read: T,
  reload: () => Promise<T>,
  save: (current: T) => Promise<R>,
): Promise<R> {
  let current = read;
  for (let reads = 1; ; reads += 1) {
    try {
      return await save(current);
    } catch (error) {
      if (reads === MAX_READS || !(error instanceof Problem) || error.code !== 'stale_version') throw error;
      current = await reload();
    }
  }
}
