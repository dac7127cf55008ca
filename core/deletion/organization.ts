/**
 * Deleting an organization with everything under it: forms, units, members, the slug (contract sections 3 and 9).
 * First it is marked, so that nobody knows it any more and nothing comes under it; then its things go page by page;
 * the member who deletes it and the slug go last and together, so that a deletion which was interrupted can be asked
 * for again and runs to its end.
 */
import { untilWritten } from '#core/db/retry.ts';
import { WriteRefused } from '#core/db/table.ts';
import { deleteForm } from '#core/forms/service.ts';
import { loadStoredForms, pageFormIds } from '#core/forms/store.ts';
import type { App } from '#core/http/app.ts';
import {
  dropMember,
  dropOrganization,
  loadMemberRole,
  loadOrganization,
  markDeleting,
  pageMembers,
  type StoredOrganization,
} from '#core/organizations/store.ts';
import { loadTree, removeUnit } from '#core/organizations/unit-store.ts';
import { problems } from '#core/problems/problems.ts';

/** Deletes an organization on behalf of a user. */
export async function deleteOrganization(app: App, org: StoredOrganization, userId: string): Promise<void> {
  const marked = org.deleting ? org : await mark(app, org);
  await deleteForms(app, org.id);
  await deleteUnits(app, org.id);
  await deleteMembers(app, org.id, userId);
  await end(app, marked, userId);
}

/** The last write; done already when two who delete the same organization meet at it. */
async function end(app: App, org: StoredOrganization, userId: string): Promise<void> {
  const lastMemberId = (await loadMemberRole(app.table, org.id, userId)) ? userId : undefined;
  try {
    await dropOrganization(app.table, org, { lastMemberId, now: app.now().toISOString() });
  } catch (error) {
    if (!(error instanceof WriteRefused) || (await loadOrganization(app.table, org.id))) throw error;
  }
}

const mark = (app: App, org: StoredOrganization): Promise<StoredOrganization> =>
  untilWritten(async (first) => {
    const current = first ? org : await loadOrganization(app.table, org.id);
    if (!current) throw problems.notFound();
    return current.deleting ? current : markDeleting(app.table, current);
  });

async function deleteForms(app: App, orgId: string): Promise<void> {
  let after: string | undefined;
  do {
    const page = await pageFormIds(app.table, orgId, 25, after);
    for (const form of await loadStoredForms(app.table, page.formIds)) {
      await deleteForm({ app, form, ifMatch: () => undefined });
    }
    after = page.last ?? undefined;
  } while (after !== undefined);
}

async function deleteUnits(app: App, orgId: string): Promise<void> {
  const ids = (await loadTree(app.table, orgId)).units.map((unit) => unit.id);
  for (let index = 0; index < ids.length; index += 100) {
    await app.table.write(ids.slice(index, index + 100).map(removeUnit));
  }
}

async function deleteMembers(app: App, orgId: string, exceptId: string): Promise<void> {
  let after: string | undefined;
  do {
    const page = await pageMembers(app.table, orgId, 25, after);
    const others = page.userIds.filter((id) => id !== exceptId);
    await Promise.all(others.map((id) => dropMember(app.table, orgId, id)));
    after = page.last ?? undefined;
  } while (after !== undefined);
}
