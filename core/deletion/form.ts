/**
 * Deletes a form: one transaction removes its settings and its gate, releases its spreadsheet and queues its deletion, so
 * that nothing of it can be read or written any more. The worker removes the rest.
 */
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import type { Form } from '#core/forms/model.ts';
import { moveOwnership, sheetOf } from '#core/forms/spreadsheet-owner.ts';
import { loadForm, removeForm } from '#core/forms/store.ts';
import { problems } from '#core/problems/problems.ts';
import { queueDeletion } from './queue.ts';

/** Deletes a form. Throws 404 when it is gone, 409 for a stale `If-Match`. */
export const deleteForm = (app: ChangePorts, opened: Form): Promise<void> =>
  untilWritten(async (first) => {
    const form = first ? opened : await loadForm(app.table, opened.id);
    if (!form) throw problems.notFound();
    app.ifMatch(form.version);
    await app.table.write(await deletionOfForm(app, form));
  });

/** Deletes a form of a deleted organization; does nothing when it is gone. */
export const deleteFormOf = (app: Pick<Ports, 'table' | 'now'>, formId: string): Promise<void> =>
  untilWritten(async () => {
    const form = await loadForm(app.table, formId);
    if (form) await app.table.write(await deletionOfForm(app, form));
  });

const deletionOfForm = async ({ table, now }: Pick<Ports, 'table' | 'now'>, form: Form): Promise<Write[]> => [
  ...removeForm(form),
  queueDeletion({ type: 'form', id: form.id }, now()),
  ...(await moveOwnership(table, { orgId: form.orgId, from: sheetOf(form), to: null })),
];
