/**
 * Reads and writes organizations, their slugs and members. A slug in use is an item that at most one organization
 * can have; each use of a slug, from when to when, stays as a usage item (contract section 3).
 */
import type { Account } from '#core/accounts/model.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import type { Item, Page, Table, Write } from '#core/db/table.ts';
import type { MemberRole, Organization, OrganizationInput } from './model.ts';

/** An organization as it is stored: with its version and since when it has its slug. */
export type StoredOrganization = Organization & { slugSince: string; version: number };

const organizationOf = (item: Item | undefined): StoredOrganization | undefined =>
  item ? { ...decode<Omit<StoredOrganization, 'version'>>(item), version: Number(item.version) } : undefined;

function organizationItem(org: StoredOrganization): Item {
  const { version, ...data } = org;
  return { ...keys.organization(org.id), ...indexKeys.organization(org.createdAt, org.id), ...encode(data), version };
}

const usage = (org: StoredOrganization, endedAt: string | null): Item => ({
  ...keys.slugUsage(org.slug, org.slugSince, org.id),
  orgId: org.id,
  orgName: org.name,
  startedAt: org.slugSince,
  endedAt,
});

/** The id of the organization that uses a slug now, from the slug's item. */
export const organizationIdOf = (slugItem: Item | undefined): string | undefined =>
  slugItem ? String(slugItem.orgId) : undefined;

/** The organization of an id, or undefined. */
export async function loadOrganization(table: Table, orgId: string): Promise<StoredOrganization | undefined> {
  const [item] = await table.read([keys.organization(orgId)]);
  return organizationOf(item);
}

/** The organizations of some ids (100 at most), in that order; absent ones are left out. */
export async function loadOrganizations(table: Table, orgIds: readonly string[]): Promise<StoredOrganization[]> {
  const items = await table.read(orgIds.map(keys.organization));
  return items.map(organizationOf).filter((org) => org !== undefined);
}

/** One page of all organizations, oldest first. */
export async function pageOrganizations(table: Table, limit: number, after: string | undefined) {
  const page = await table.page({ ...partitions.allOrganizations(), limit, ...(after ? { after } : {}) });
  const ids = page.items.map((item) => item.pk.slice('ORG#'.length));
  return { organizations: await loadOrganizations(table, ids), last: page.last };
}

export type NewOrganization = { id: string; input: OrganizationInput; creatorId: string; now: string };

/**
 * Creates an organization whose first admin is its creator. Throws WriteRefused: index 0 means that the slug is
 * in use.
 */
export async function createOrganization(table: Table, { id, input, creatorId, now }: NewOrganization) {
  const org = { id, ...input, createdAt: now, updatedAt: now, slugSince: now, version: 1 };
  await table.write([
    { put: { ...keys.slug(input.slug), orgId: id }, when: { absent: true } },
    { put: usage(org, null) },
    { put: { ...organizationItem(org), admins: 1 }, when: { absent: true } },
    { put: memberItem(id, creatorId, 'ADMIN', now), when: { absent: true } },
    membership(creatorId, id, 'ADMIN'),
  ]);
  return org;
}

/**
 * Replaces an organization's fields; a new slug ends the old one's usage and starts its own in the same
 * transaction. Throws WriteRefused: index 0 means that the organization changed meanwhile, 1 that the slug is in use.
 */
export async function updateOrganization(table: Table, org: StoredOrganization, input: OrganizationInput, now: string) {
  const renamed = input.slug !== org.slug;
  const next = { ...org, ...input, updatedAt: now, version: org.version + 1, slugSince: renamed ? now : org.slugSince };
  const { version, ...data } = next;
  const update: Write = {
    update: keys.organization(org.id),
    set: { ...encode(data), version },
    when: { equals: { version: org.version } },
  };
  const moves: Write[] = renamed
    ? [
        { put: { ...keys.slug(input.slug), orgId: org.id }, when: { absent: true } },
        { remove: keys.slug(org.slug), when: { equals: { orgId: org.id } } },
        { put: usage(org, now) },
      ]
    : [];
  await table.write([update, ...moves, { put: usage(next, null) }]);
  return next;
}

const memberItem = (orgId: string, userId: string, role: MemberRole, now: string): Item => ({
  ...keys.member(orgId, userId),
  userId,
  role,
  joinedAt: now,
});

const membership = (userId: string, orgId: string, role: MemberRole): Write => ({
  update: keys.account(userId),
  set: { [`memberships.${orgId}`]: role },
  when: { absent: false },
});

/** Makes an account a member. Throws WriteRefused: index 0 means that it is one already, 1 that the organization is gone. */
export async function addMember(table: Table, orgId: string, account: Account, now: string): Promise<void> {
  await table.write([
    { put: memberItem(orgId, account.id, 'MEMBER', now), when: { absent: true } },
    { check: keys.organization(orgId), when: { absent: false } },
    membership(account.id, orgId, 'MEMBER'),
  ]);
}

/** One page of the ids of an organization's members. */
export async function pageMembers(table: Table, orgId: string, limit: number, after: string | undefined) {
  const request = { ...partitions.members(orgId), limit, ...(after ? { after } : {}) };
  const page: Page = await table.page(request);
  return { userIds: page.items.map((item) => String(item.userId)), last: page.last };
}
