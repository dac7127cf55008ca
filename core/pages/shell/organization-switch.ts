/** The organization of a page, and those to which its reader can switch: one read of all of them. */
import type { Table } from '#core/db/table.ts';
import { loadOrganizations, type StoredOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { OtherOrganizations } from './layout.ts';

/** The most other organizations in the menu. */
const MAX_OTHER_ORGANIZATIONS = 20;

/** Reads an organization and those to which a member of `memberOf` can switch. Throws 404 when it was deleted. */
export async function loadWithOthers(
  table: Table,
  orgId: string,
  memberOf: readonly string[],
): Promise<{ org: StoredOrganization; otherOrganizations: OtherOrganizations }> {
  const otherIds = memberOf.filter((id) => id !== orgId);
  const organizations = await loadOrganizations(table, [orgId, ...otherIds.sort().slice(0, MAX_OTHER_ORGANIZATIONS)]);
  const org = organizations.find(({ id }) => id === orgId);
  if (!org) throw problems.notFound();
  const links = organizations.filter(({ id }) => id !== orgId).map(({ name, slug }) => ({ href: `/o/${slug}`, name }));
  return { org, otherOrganizations: { links, hasMore: otherIds.length > MAX_OTHER_ORGANIZATIONS } };
}
