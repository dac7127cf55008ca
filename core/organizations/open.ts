/** Opens the organization that a path names by its slug; every signed-in user may know it (contract section 3). */

import { pathId } from '#core/access/path.ts';
import type { Account } from '#core/accounts/model.ts';
import { present } from '#core/accounts/open.ts';
import { accountOf } from '#core/accounts/store.ts';
import type { Role } from '#core/api/declare.ts';
import { keys } from '#core/db/keys.ts';
import type { Opener } from '#core/http/operation.ts';
import { check } from '#core/http/request.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import { Slug } from './model.ts';
import { loadMemberRole, loadOrganization, organizationIdOf, type StoredOrganization } from './store.ts';

export type OpenedOrganization = { user: Caller; account: Account | undefined; org: StoredOrganization };

/** The organization of `{slug}` and what the caller is to it. */
export const organization: Opener<OpenedOrganization> = async (call) => {
  const opened = await organizationToDelete(call);
  if (opened.thing.org.deleting) throw problems.notFound();
  return opened;
};

/** As `organization`, and also one whose deletion was begun, for those who may run it to its end. */
export const organizationToDelete: Opener<OpenedOrganization> = async ({ params, user, app }) => {
  const caller = present(user);
  const slug = check('path', Slug(), params.slug);
  if ('faults' in slug) throw problems.invalid(slug.faults.map((fault) => ({ ...fault, pointer: '/path/slug' })));
  const [slugItem, accountItem] = await app.table.read([keys.slug(slug.value), keys.account(caller.id)]);
  const orgId = organizationIdOf(slugItem);
  const org = orgId ? await loadOrganization(app.table, orgId) : undefined;
  if (!org) throw problems.notFound();
  const account = accountOf(accountItem);
  const roles = rolesIn(account, org.id, caller);
  if (org.deleting && !roles.includes('admin') && !roles.includes('operator')) throw problems.notFound();
  return { thing: { user: caller, account, org }, roles, ...(account ? { onboarded: account.onboarded } : {}) };
};

/** The organization of `{slug}`, of which `{memberId}` is a member: 404 else, told to its members only. */
export const organizationWithMember: Opener<OpenedOrganization> = async (call) => {
  const opened = await organization(call);
  if (!opened.roles.includes('member')) return opened;
  const memberId = pathId(call.params, 'memberId');
  if (!(await loadMemberRole(call.app.table, opened.thing.org.id, memberId))) throw problems.notFound();
  return opened;
};

/** What a caller is in an organization. An admin is a member too. */
export function rolesIn(account: Account | undefined, orgId: string, caller: Caller): Role[] {
  const role = account?.memberships[orgId];
  return [
    'reader',
    ...(caller.roles.includes('ADMIN') ? (['operator'] as const) : []),
    ...(role ? (['member'] as const) : []),
    ...(role === 'ADMIN' ? (['admin'] as const) : []),
  ];
}
