/** Organizations where they meet accounts, lists and problems (contract section 3). */
import type { Account } from '#core/accounts/model.ts';
import { loadAccount } from '#core/accounts/store.ts';
import { untilWritten } from '#core/db/retry.ts';
import { WriteRefused } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import type { PageQuery } from '#core/schema/schema.ts';
import type { MemberRole, OrganizationInput } from './model.ts';
import {
  addMember,
  isGone,
  loadMemberRole,
  loadOrganization,
  loadOrganizations,
  removeMember,
  type StoredOrganization,
  setMemberRole,
  updateOrganization,
} from './store.ts';

/** One page of the organizations that a user is a member of, by identifier. */
export async function listMemberships(app: App, userId: string, query: PageQuery) {
  const list = `memberships ${userId}`;
  const after = app.cursors.open(list, query.cursor) ?? '';
  const account = await loadAccount(app.table, userId);
  const ids = Object.keys(account?.memberships ?? {})
    .filter((id) => id > after)
    .sort();
  const shown = ids.slice(0, query.limit);
  const last = ids.length > query.limit ? (shown.at(-1) ?? null) : null;
  return { body: await loadOrganizations(app.table, shown), next: app.cursors.seal(list, last) };
}

/** Turns a write that was refused because a slug is in use into the 409 that says so. */
export const slugTaken =
  (slug: string, index: number) =>
  (error: unknown): never => {
    if (!(error instanceof WriteRefused) || error.index !== index) throw error;
    const detail = `The slug "${slug}" is in use: choose another`;
    throw problems.conflict('slug_taken', detail, [{ pointer: '/body/slug', detail: 'is in use' }]);
  };

/** Replaces the fields of an organization. Throws 409 when its new slug is in use, 404 when it is gone meanwhile. */
export async function changeOrganization(
  app: App,
  org: StoredOrganization,
  input: OrganizationInput,
): Promise<StoredOrganization> {
  return untilWritten(async (first) => {
    const current = first ? org : await loadOrganization(app.table, org.id);
    if (!current || current.deleting) throw problems.notFound();
    const renamed = input.slug !== current.slug;
    const changed = updateOrganization(app.table, current, input, app.now().toISOString());
    return renamed ? changed.catch(slugTaken(input.slug, 1)) : changed;
  });
}

/** Makes an account a member of an organization, if it is none yet. Throws 404 when the organization is gone meanwhile. */
export async function joinOrganization(app: App, orgId: string, account: Account): Promise<void> {
  try {
    await addMember(app.table, orgId, account, app.now().toISOString());
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    if (error.index !== 0) throw problems.notFound();
  }
}

/** 404 for an organization that is not there, 403 for a caller who is not its admin; for operations that name it in the body. */
export async function requireAdmin(app: App, user: Caller, orgId: string): Promise<void> {
  const [org, account] = await Promise.all([loadOrganization(app.table, orgId), loadAccount(app.table, user.id)]);
  if (!org || org.deleting) throw problems.notFound();
  if (account?.memberships[orgId] !== 'ADMIN')
    throw problems.forbidden('Linking units is for the admins of the organization');
}

const lastAdmin = () =>
  problems.wrongState('last_admin', 'An organization keeps at least one admin: make another member one first');

/** Runs a change of a member against their present role. Throws 404 for no member, 400 for the last admin. */
async function changeMember(
  app: App,
  orgId: string,
  userId: string,
  change: (role: MemberRole) => Promise<void>,
): Promise<void> {
  await untilWritten(async () => {
    const role = await loadMemberRole(app.table, orgId, userId);
    if (!role) throw problems.notFound();
    try {
      await change(role);
    } catch (error) {
      if (error instanceof WriteRefused && error.index === 1)
        throw isGone(error.found) ? problems.notFound() : lastAdmin();
      throw error;
    }
  });
}

/** Changes a member's role. Throws 404, 400 for the last admin. */
export const changeRole = (app: App, orgId: string, userId: string, to: MemberRole): Promise<void> =>
  changeMember(app, orgId, userId, async (role) => {
    if (role !== to) await setMemberRole(app.table, orgId, userId, role, to);
  });

/** Removes a member. Throws 404, 400 for the last admin. */
export const leaveOrganization = (app: App, orgId: string, userId: string): Promise<void> =>
  changeMember(app, orgId, userId, (role) => removeMember(app.table, orgId, userId, role));
