/** Publishes a form, on the condition that its structure is still the one that was validated. */
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { problems } from '#core/problems/problems.ts';
import { structureOf } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { requirePublishable } from '#core/structure/workflow-check.ts';
import type { Form } from './model.ts';
import { edited, moveForm } from './status.ts';
import { formOf, replaceForm } from './store.ts';

/**
 * Publishes a DRAFT. Throws 400 for another status or an invalid workflow, 404 when the form is gone, 409 for a stale
 * `If-Match`.
 */
export async function publishForm(
  app: ChangePorts,
  opened: { form: Form; structure: Structure },
  userId: string,
): Promise<Form> {
  return untilWritten(async (first) => {
    const { form, structure } = first ? opened : await reload(app, opened.form.id);
    app.ifMatch(form.version);
    const moved = moveForm(form, 'publish');
    requirePublishable(structure);
    const next = { ...edited(moved, userId, app.now().toISOString()), version: form.version + 1 };
    await app.table.write(replaceForm(next, form, structure.version));
    return next;
  });
}

async function reload({ table }: ChangePorts, formId: string): Promise<{ form: Form; structure: Structure }> {
  const [headItem, structureItem] = await table.read([keys.formHead(formId), keys.formStructure(formId)]);
  const form = formOf(headItem, formId);
  const structure = structureOf(structureItem);
  if (!form || !structure) throw problems.notFound();
  return { form, structure };
}
