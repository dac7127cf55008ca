/** Creating a form: its settings, gate and first structure in one transaction with a check of the organization. */
import type { Account } from '#core/accounts/model.ts';
import { formIdFrom, idWithin } from '#core/db/keys.ts';
import { objects } from '#core/db/objects.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { type Write, WriteRefused } from '#core/db/table.ts';
import { checkOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { requireFits } from '#core/structure/service.ts';
import { createStructure } from '#core/structure/store.ts';
import type { Structure } from '#core/structure/structure.ts';
import { newStructure } from '#core/structure/workflow-edits.ts';
import { copyCover } from './cover.ts';
import { newForm } from './edit.ts';
import type { FormInput, FormView } from './model.ts';
import { EDITOR, viewForm } from './service.ts';
import { moveOwnership, sheetOf } from './spreadsheet-owner.ts';
import { statusOfForm } from './spreadsheet-status.ts';
import { createForm as formWrites } from './store.ts';

/** What a new form has besides its settings: its structure, and further writes of the same transaction. */
export type NewContent = { structure: Structure; also: readonly Write[] };

/**
 * `content`: makes the content of the form; START and END by default. `coverOrgId`: the organization whose forms lend
 * their covers; that of the new form by default.
 */
type NewForm = {
  orgId: string;
  creator: Account;
  input: FormInput;
  content?: (formId: string, now: string) => NewContent;
  coverOrgId?: string;
};

/**
 * Creates a DRAFT form of an organization. `coverImage` may be the current cover of another form of the organization;
 * the new form gets a copy. Throws 400 for any other cover, for settings that contradict each other and for a spreadsheet
 * of another organization, 404 when the organization is gone, 413 for content that is too large to be stored.
 */
export async function createForm(
  app: ChangePorts,
  { orgId, creator, input, content, coverOrgId = orgId }: NewForm,
): Promise<{ body: FormView; etag: number }> {
  const createdAt = app.now();
  const now = createdAt.toISOString();
  // A retry is needed when a form created in the same millisecond has the same 12 random bits, or when another form
  // changed the owner of the spreadsheet meanwhile.
  return untilWritten(async () => {
    const id = formIdFrom(app.uuid(), createdAt);
    const cover = input.coverImage ? objects.cover(id, app.uuid()) : null;
    const form = newForm(input, { id, orgId, userId: creator.id, now, cover });
    if (input.coverImage && cover) {
      await copyCover(app, { from: input.coverImage, to: cover, newFormId: id, orgId: coverOrgId });
    }
    const { structure, also } = content?.(id, now) ?? {
      structure: newStructure(id, { start: idWithin(id, app.uuid()), end: idWithin(id, app.uuid()) }),
      also: [],
    };
    requireFits(structure);
    const related = {
      people: new Map([[creator.id, creator]]),
      statuses: new Map([[id, statusOfForm(form, undefined, undefined)]]),
    };
    const view = viewForm(form, related, EDITOR, createdAt);
    const claimed = await moveOwnership(app.table, { orgId, from: null, to: sheetOf(form) });
    const writes = [checkOrganization(orgId), ...formWrites(form), createStructure(structure), ...also, ...claimed];
    try {
      return await app.commit(writes, { body: view, etag: form.version });
    } catch (error) {
      throw error instanceof WriteRefused && error.index === 0 ? problems.notFound() : error;
    }
  });
}
