/**
 * Reads and writes organizations, their slugs and members. A slug in use is an item that at most one organization
 * can have; each use of a slug, from when to when, stays as a usage item (contract section 3).
 */
import type { Account } from '#core/accounts/model.ts';
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import type { Item, Page, Table, Write } from '#core/db/table.ts';
import type { MemberRole, Organization, OrganizationInput, SlugUsage } from './model.ts';

/** An organization as it is stored: with its version and since when it has its slug. */
export type StoredOrganization = Organization & {
  slugSince: string;
  version: number;
  /** Set while a deletion runs: from then on the organization is known only to those who may go on deleting it. */
  deleting?: true;
};

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

/** The organizations of some ids (100 at most), in that order; absent ones and those under deletion are left out. */
export async function loadOrganizations(table: Table, orgIds: readonly string[]): Promise<StoredOrganization[]> {
  const items = await table.read(orgIds.map(keys.organization));
  return items.map(organizationOf).filter((org): org is StoredOrganization => org !== undefined && !org.deleting);
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

/**
 * The condition of every write that puts something under an organization: it is there, and nobody deletes it. Who
 * deletes it takes its admins first, so what comes under it before that is found, and nothing comes after it.
 */
export const stillThere = (orgId: string): Write => ({
  check: keys.organization(orgId),
  when: { above: { admins: 0 } },
});

/** Makes an account a member. Throws WriteRefused: index 0 means that it is one already, 1 that the organization is gone. */
export async function addMember(table: Table, orgId: string, account: Account, now: string): Promise<void> {
  await table.write([
    { put: memberItem(orgId, account.id, 'MEMBER', now), when: { absent: true } },
    stillThere(orgId),
    membership(account.id, orgId, 'MEMBER'),
  ]);
}

/** One page of the ids of an organization's members. */
export async function pageMembers(table: Table, orgId: string, limit: number, after: string | undefined) {
  const request = { ...partitions.members(orgId), limit, ...(after ? { after } : {}) };
  const page: Page = await table.page(request);
  return { userIds: page.items.map((item) => String(item.userId)), last: page.last };
}

/** A member's role in an organization, or undefined for somebody who is none. */
export async function loadMemberRole(table: Table, orgId: string, userId: string): Promise<MemberRole | undefined> {
  const [item] = await table.read([keys.member(orgId, userId)]);
  if (!item) return undefined;
  return item.role === 'ADMIN' ? 'ADMIN' : 'MEMBER';
}

/** The write that counts an admin more or less; refused when none would be left. */
const countAdmins = (orgId: string, step: 1 | -1): Write => ({
  update: keys.organization(orgId),
  add: { admins: step },
  when: { above: { admins: step === 1 ? 0 : 1 } },
});

/**
 * Changes a member's role. Throws WriteRefused: index 0 means that the role is not `from` any more, 1 that the
 * last admin would be gone, or the organization is (`isGone`).
 */
export async function setMemberRole(table: Table, orgId: string, userId: string, from: MemberRole, to: MemberRole) {
  await table.write([
    { update: keys.member(orgId, userId), set: { role: to }, when: { equals: { role: from } } },
    countAdmins(orgId, to === 'ADMIN' ? 1 : -1),
    membership(userId, orgId, to),
  ]);
}

/** Removes a member. Throws WriteRefused as `setMemberRole`. */
export async function removeMember(table: Table, orgId: string, userId: string, role: MemberRole): Promise<void> {
  await table.write([
    { remove: keys.member(orgId, userId), when: { equals: { role } } },
    role === 'ADMIN' ? countAdmins(orgId, -1) : stillThere(orgId),
    withoutMembership(userId, orgId),
  ]);
}

const withoutMembership = (userId: string, orgId: string): Write => ({
  update: keys.account(userId),
  unset: [`memberships.${orgId}`],
  when: { absent: false },
});

/** Whether the item of an organization says that it is gone, or going. */
export const isGone = (item: Item | undefined): boolean => Number(item?.admins ?? 0) === 0;

/** Marks an organization as being deleted: no admin runs it any more. Throws WriteRefused when it changed meanwhile. */
export async function markDeleting(table: Table, org: StoredOrganization): Promise<StoredOrganization> {
  const next: StoredOrganization = { ...org, deleting: true, version: org.version + 1 };
  const { version, ...data } = next;
  const when = { equals: { version: org.version } };
  await table.write([{ update: keys.organization(org.id), set: { ...encode(data), version, admins: 0 }, when }]);
  return next;
}

const forgetMember = (orgId: string, userId: string): Write[] => [
  { remove: keys.member(orgId, userId) },
  withoutMembership(userId, orgId),
];

/** Forgets a member of an organization that is being deleted. */
export const dropMember = (table: Table, orgId: string, userId: string): Promise<void> =>
  table.write(forgetMember(orgId, userId));

/**
 * The end of a deletion, in one transaction: the organization goes with its last member, if one is left, its slug is
 * free, and the slug's history keeps its last name. Throws WriteRefused when somebody else has ended it before.
 */
export async function dropOrganization(
  table: Table,
  org: StoredOrganization,
  { lastMemberId, now }: { lastMemberId: string | undefined; now: string },
): Promise<void> {
  await table.write([
    { remove: keys.organization(org.id), when: { absent: false } },
    { remove: keys.slug(org.slug), when: { equals: { orgId: org.id } } },
    { put: usage(org, now) },
    { remove: keys.unitTree(org.id) },
    ...(lastMemberId === undefined ? [] : forgetMember(org.id, lastMemberId)),
  ]);
}

/** Who uses a slug now: the id of an organization, or undefined. */
export async function slugUser(table: Table, slug: string): Promise<string | undefined> {
  const [item] = await table.read([keys.slug(slug)]);
  return organizationIdOf(item);
}

/** One page of the uses of a slug, newest first. */
export async function pageSlugUsages(table: Table, slug: string, limit: number, after: string | undefined) {
  const page = await table.page({
    ...partitions.slugUsages(slug),
    limit,
    descending: true,
    ...(after ? { after } : {}),
  });
  const usages = page.items.map(
    (item): SlugUsage => ({
      orgId: String(item.orgId),
      orgName: String(item.orgName),
      startedAt: String(item.startedAt),
      endedAt: typeof item.endedAt === 'string' ? item.endedAt : null,
    }),
  );
  return { usages, last: page.last };
}
