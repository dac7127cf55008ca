/** The organization of a page, and those to which its reader can switch: one call for all of them. */
import { type Key, keys } from '#core/db/keys.ts';
import type { Consistency, Item, Table } from '#core/db/table.ts';
import { parseOrganizations, type StoredOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import type { OtherOrganizations } from './layout.ts';

/** The most other organizations in the menu. */
const MAX_OTHER_ORGANIZATIONS = 20;

/** What else to read with the organizations, and whether a stale second is harmless. */
type Beside = { key?: Key | undefined; consistency?: Consistency };

/**
 * Reads an organization, those to which a member of `memberOf` can switch, and the item of another key, in one call. Throws 404
 * when the organization was deleted.
 */
export async function loadWithOthers(
  table: Table,
  orgId: string,
  memberOf: readonly string[],
  { key, consistency }: Beside = {},
): Promise<{ org: StoredOrganization; otherOrganizations: OtherOrganizations; beside: Item | undefined }> {
  const otherIds = memberOf.filter((id) => id !== orgId);
  const orgIds = [orgId, ...otherIds.sort().slice(0, MAX_OTHER_ORGANIZATIONS)];
  const items = await table.read([...orgIds.map(keys.organization), ...(key ? [key] : [])], consistency);
  const organizations = parseOrganizations(items.slice(0, orgIds.length));
  const org = organizations.find(({ id }) => id === orgId);
  // What was created a moment ago can be absent from an eventual read.
  if (!org && consistency === 'eventual') return loadWithOthers(table, orgId, memberOf, { key });
  if (!org) throw problems.notFound();
  const links = organizations.filter(({ id }) => id !== orgId).map(({ name, slug }) => ({ href: `/o/${slug}`, name }));
  const otherOrganizations = { links, hasMore: otherIds.length > MAX_OTHER_ORGANIZATIONS };
  return { org, otherOrganizations, beside: items[orgIds.length] };
}
