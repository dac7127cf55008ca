/** Every change of a form's views: a pure function and one conditional write, again when somebody was faster. */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Table, WriteRefused } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Views } from './view-model.ts';
import { replaceViews, viewsOf } from './view-store.ts';

type Changing = { opened: Views; ifMatch: (version: number) => void };

/** Applies `edit` to the views of a form and stores the result; `edit` throws Problems to refuse. Throws 404 for a form that is gone, 409 stale, 413. */
export async function editViews(
  table: Table,
  { opened, ifMatch }: Changing,
  edit: (views: Views) => Views,
): Promise<Views> {
  return untilWritten(async (first) => {
    const current = first ? opened : viewsOf((await table.read([keys.formViews(opened.formId)]))[0], opened.formId);
    ifMatch(current.version);
    const edited = edit(current);
    if (edited === current) return current;
    const next = { ...edited, version: current.version + 1 };
    if (entityBytes(next) > MAX_ENTITY_BYTES)
      throw problems.tooLarge(`The views of a form may have ${MAX_ENTITY_BYTES} bytes`);
    await table.write(replaceViews(next)).catch(formGone);
    return next;
  });
}

/** The first views of a form are written only while there is a form: trying again would not help. */
function formGone(error: unknown): never {
  throw error instanceof WriteRefused && error.index === 1 ? problems.notFound() : error;
}
