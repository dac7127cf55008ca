/**
 * Deletes a form with everything that belongs to it. First the head is marked and the gate removed, so that the form is
 * visible to nobody and takes no responses; then responses, objects and finally the form's own items are removed. Every
 * step can be repeated, so repeating the request completes an interrupted deletion.
 */
import { keys } from '#core/db/keys.ts';
import { objectsOf } from '#core/db/objects.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Form } from '#core/forms/model.ts';
import { replaceForm, storedFormOf } from '#core/forms/store.ts';
import { deleteResponsesOf } from './response.ts';

/** Deletes a form; does nothing if it is already deleted. Throws 409 for a stale `If-Match`. */
export async function deleteForm(app: ChangePorts, form: Form): Promise<void> {
  if (!form.deleting) await mark(app, form);
  await deleteResponsesOf(app, form.id);
  await Promise.all(objectsOf.form(form.id).map(app.bucket.removeAll));
  const { id } = form;
  const items = [
    keys.formViews(id),
    keys.formStructure(id),
    keys.formAnswered(id),
    keys.formGate(id),
    keys.formHead(id),
  ];
  await app.table.write(items.map((key) => ({ remove: key })));
}

async function mark(app: ChangePorts, form: Form): Promise<void> {
  await untilWritten(async (first) => {
    const current = first ? form : storedFormOf((await app.table.read([keys.formHead(form.id)]))[0], form.id);
    if (!current || current.deleting) return;
    app.ifMatch(current.version);
    const marked: Form = { ...current, deleting: true, version: current.version + 1 };
    await app.table.write(replaceForm(marked, current));
  });
}
