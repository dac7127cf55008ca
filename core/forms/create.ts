/** Creating a form: its settings, gate and first structure in one transaction with a check of the organization. */
import type { Account } from '#core/accounts/model.ts';
import { formIdFrom, idWithin } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { WriteRefused } from '#core/db/table.ts';
import { checkOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { createStructure } from '#core/structure/store.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';
import { copyCover } from './cover.ts';
import { newForm } from './edit.ts';
import type { FormInput, FormView } from './model.ts';
import { EDITOR, viewForm } from './service.ts';
import { statusOfForm } from './spreadsheet-status.ts';
import { createForm as formWrites } from './store.ts';

/**
 * Creates a DRAFT form of an organization. `coverImage` may be the current cover of another form of the organization;
 * the new form gets a copy. Throws 400 for any other cover and for settings that contradict each other, 404 when the
 * organization is gone.
 */
export async function createForm(
  app: ChangePorts,
  { orgId, creator, input }: { orgId: string; creator: Account; input: FormInput },
): Promise<{ body: FormView; etag: number }> {
  const createdAt = app.now();
  const now = createdAt.toISOString();
  // A retry is needed only when a form created in the same millisecond has the same 12 random bits.
  return untilWritten(async () => {
    const id = formIdFrom(app.uuid(), createdAt);
    const cover = input.coverImage ? objects.cover(id, app.uuid()) : null;
    const form = newForm(input, { id, orgId, userId: creator.id, now, cover });
    if (input.coverImage && cover) await copyCover(app, { from: input.coverImage, to: cover, newFormId: id, orgId });
    const structure = newStructure(id, { start: idWithin(id, app.uuid()), end: idWithin(id, app.uuid()) });
    const related = {
      people: new Map([[creator.id, creator]]),
      statuses: new Map([[id, statusOfForm(form, undefined, undefined)]]),
    };
    const view = viewForm(form, related, EDITOR, createdAt);
    const writes = [checkOrganization(orgId), ...formWrites(form), createStructure(structure)];
    try {
      return await app.commit(writes, { body: view, etag: form.version });
    } catch (error) {
      throw error instanceof WriteRefused && error.index === 0 ? problems.notFound() : error;
    }
  });
}
