/** Changes a form's views: a pure function and one conditional write, repeated after a concurrent edit. */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { WriteRefused } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Views } from './view-model.ts';
import { FORM_CHECK, replaceViews, viewsOf } from './view-store.ts';

/**
 * Applies `edit` to the views of a form, stores them, and returns `result` of them. `edit` returns the same object for
 * no change. Throws what `edit` throws, 404 when the form is gone, 409 for a stale `If-Match`, 413 when the views would
 * become too large.
 */
export async function editViews<R>(
  app: ChangePorts,
  opened: Views,
  edit: (views: Views) => Views,
  result: (views: Views) => R,
): Promise<R> {
  return untilWritten(async (first) => {
    const current = first ? opened : viewsOf((await app.table.read([keys.formViews(opened.formId)]))[0], opened.formId);
    app.ifMatch(current.version);
    const edited = edit(current);
    if (edited === current) return result(current);
    const next = { ...edited, version: current.version + 1 };
    if (entityBytes(next) > MAX_ENTITY_BYTES) {
      throw problems.tooLarge(`The views of a form may have at most ${MAX_ENTITY_BYTES} bytes.`);
    }
    return app.commit(replaceViews(next), result(next)).catch(rejectMissingForm);
  });
}

/** Converts the refused check that the form exists to 404; a retry would not help. */
function rejectMissingForm(error: unknown): never {
  throw error instanceof WriteRefused && error.refusals.some(({ index }) => index === FORM_CHECK)
    ? problems.notFound()
    : error;
}
