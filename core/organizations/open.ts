/**
 * Openers of organizations by slug. An organization is visible to every signed-in user. The item of a slug is removed in
 * the transaction that removes its organization, so most operations need only that item: it has the organization's id.
 */
import { type Caller, type Opener, pathId, type Role, signedInCaller } from '#core/access/access.ts';
import type { Account } from '#core/accounts/model.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { problems } from '#core/problems/problems.ts';
import { Slug } from './model.ts';
import { loadMemberRole, loadOrganization, organizationIdOf, type StoredOrganization } from './store.ts';

export type OpenedOrganization = { caller: Caller; account: Account | undefined; orgId: string };

/** The id of the organization of `{slug}` and the caller's roles in it. */
export const openOrganization: Opener<OpenedOrganization> = async ({ params, user, app }) => {
  const caller = signedInCaller(user);
  const slug = Slug().safeParse(params.slug);
  if (!slug.success)
    throw problems.invalid(slug.error.issues.map(({ message }) => ({ pointer: '/path/slug', detail: message })));
  const [slugItem, accountItem] = await app.table.read([keys.slug(slug.data), keys.account(caller.id)]);
  const orgId = organizationIdOf(slugItem);
  if (orgId === undefined) throw problems.notFound();
  const account = accountOf(accountItem);
  const roles = rolesIn(account, orgId, caller);
  return { resource: { caller, account, orgId }, roles, ...(account ? { onboarded: account.onboarded } : {}) };
};

/** Like `openOrganization`, with the stored organization. */
export const openStoredOrganization: Opener<OpenedOrganization & { org: StoredOrganization }> = async (call) => {
  const { resource, ...opened } = await openOrganization(call);
  const org = await loadOrganization(call.app.table, resource.orgId);
  if (!org) throw problems.notFound();
  return { ...opened, resource: { ...resource, org } };
};

/** Like `openOrganization`, with the account of the caller. Throws 401 when it no longer exists. */
export const openOrganizationAsUser: Opener<OpenedOrganization & { account: Account }> = async (call) => {
  const { resource, ...opened } = await openOrganization(call);
  const { account } = resource;
  if (!account) throw problems.unauthorized();
  return { ...opened, resource: { ...resource, account } };
};

/** The organization of `{slug}`. For members, throws 404 unless `{memberId}` is a member; others are refused later. */
export const openOrganizationWithMember: Opener<OpenedOrganization> = async (call) => {
  const opened = await openOrganization(call);
  if (!opened.roles.includes('member')) return opened;
  const memberId = pathId(call.params, 'memberId');
  if (!(await loadMemberRole(call.app.table, opened.resource.orgId, memberId))) throw problems.notFound();
  return opened;
};

/** The roles of a caller in an organization. An admin is also a member. */
export function rolesIn(account: Account | undefined, orgId: string, caller: Caller): Role[] {
  const role = account?.memberships[orgId];
  return [
    'reader',
    ...(caller.roles.includes('ADMIN') ? (['operator'] as const) : []),
    ...(role ? (['member'] as const) : []),
    ...(role === 'ADMIN' ? (['admin'] as const) : []),
  ];
}
