/**
 * Deletes an organization with everything that belongs to it: forms, units, members, the slug. First it is marked, so
 * that it is no longer visible and nothing can be created in it; then its contents are removed page by page. The slug
 * and the membership of the caller are removed last, in one transaction, so that an interrupted deletion can be
 * repeated.
 */
import { writeInBatches } from '#core/db/batches.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import { pagesOf } from '#core/db/pages.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import { WriteRefused } from '#core/db/table.ts';
import { storedFormOf } from '#core/forms/store.ts';
import {
  loadMemberRole,
  loadOrganization,
  markDeleting,
  purgeMember,
  purgeOrganization,
  type StoredOrganization,
} from '#core/organizations/store.ts';
import { loadTree, removeUnit } from '#core/organizations/unit-store.ts';
import { problems } from '#core/problems/problems.ts';
import { deleteForm } from './form.ts';

/** Deletes an organization on behalf of a user. Throws 404 if it is removed before it can be marked. */
export async function deleteOrganization(app: ChangePorts, org: StoredOrganization, userId: string): Promise<void> {
  const marked = org.deleting ? org : await mark(app, org);
  await deleteForms(app, org.id);
  await deleteUnits(app, org.id);
  await deleteMembers(app, org.id, userId);
  await finish(app, marked, userId);
}

/** The last transaction. Does nothing if a concurrent request has already removed the organization. */
async function finish(app: ChangePorts, org: StoredOrganization, userId: string): Promise<void> {
  const lastMemberId = (await loadMemberRole(app.table, org.id, userId)) ? userId : undefined;
  try {
    await purgeOrganization(app.table, org, { lastMemberId, now: app.now().toISOString() });
  } catch (error) {
    if (!(error instanceof WriteRefused) || (await loadOrganization(app.table, org.id))) throw error;
  }
}

const mark = (app: ChangePorts, org: StoredOrganization): Promise<StoredOrganization> =>
  untilWritten(async (first) => {
    const current = first ? org : await loadOrganization(app.table, org.id);
    if (!current) throw problems.notFound();
    return current.deleting ? current : markDeleting(app.table, current);
  });

/** Deletes forms until none is found, because a form that changes its status moves to another partition. */
async function deleteForms(app: ChangePorts, orgId: string): Promise<void> {
  let found: boolean;
  do {
    found = false;
    for (const status of ['DRAFT', 'PUBLISHED', 'ARCHIVED', 'DELETING']) {
      for await (const entries of pagesOf(app.table, { ...partitions.formsOf(orgId, status), limit: 25 })) {
        const ids = entries.map(({ gsi1sk = '' }) => lastPart(gsi1sk));
        const items = await app.table.read(ids.map(keys.formHead));
        const forms = ids.map((id, index) => storedFormOf(items[index], id)).filter((form) => form !== undefined);
        for (const form of forms) await deleteForm(app, form);
        found ||= forms.length > 0;
      }
    }
  } while (found);
}

async function deleteUnits(app: ChangePorts, orgId: string): Promise<void> {
  const { units } = await loadTree(app.table, orgId);
  await writeInBatches(
    app.table,
    units.map(({ id }) => removeUnit(id)),
  );
}

async function deleteMembers(app: ChangePorts, orgId: string, exceptId: string): Promise<void> {
  for await (const members of pagesOf(app.table, { ...partitions.members(orgId), limit: 25 })) {
    const others = members.map(({ userId }) => String(userId)).filter((id) => id !== exceptId);
    await Promise.all(others.map((id) => purgeMember(app.table, orgId, id)));
  }
}
