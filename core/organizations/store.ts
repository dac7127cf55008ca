/**
 * Reads and writes organizations, their slugs and members. A slug in use is a separate item, so that at most one
 * organization has it; each use of a slug is kept as a usage item with its start and end.
 */
import { decode, encode } from '#core/db/codec.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Consistency, Item, Table, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { ListBatch } from '#core/schema/page-size.ts';
import type { MemberRole, Organization, OrganizationInput, SlugUsage } from './model.ts';

/** An organization as it is stored. */
export type StoredOrganization = Organization & {
  /** When it began to use its current slug. */
  slugSince: string;
  version: number;
};

/** Where a part of a list starts: after a position, or at the beginning. */
export type ListStart = { limit: number; after: string | undefined };

const parseOrganization = (item: Item | undefined): StoredOrganization | undefined =>
  item ? { ...decode<Omit<StoredOrganization, 'version'>>(item), version: Number(item.version) } : undefined;

const toUsageItem = (org: StoredOrganization, endedAt: string | null): Item => ({
  ...keys.slugUsage(org.slug, org.slugSince, org.id),
  orgId: org.id,
  orgName: org.name,
  startedAt: org.slugSince,
  endedAt,
});

/** Reads the organization with an id; undefined when there is none. */
export async function loadOrganization(
  table: Table,
  orgId: string,
  consistency?: Consistency,
): Promise<StoredOrganization | undefined> {
  const [item] = await table.read([keys.organization(orgId)], consistency);
  return parseOrganization(item);
}

/** Reads the organizations with the given ids, in this order; absent ones are left out. */
export async function loadOrganizations(table: Table, orgIds: readonly string[]): Promise<StoredOrganization[]> {
  return parseOrganizations(await table.read(orgIds.map(keys.organization)));
}

/** Parses the items of organizations; absent ones are left out. */
export const parseOrganizations = (items: readonly (Item | undefined)[]): StoredOrganization[] =>
  items.map(parseOrganization).filter((org) => org !== undefined);

/** Lists some of all organizations, oldest first. */
export async function listAllOrganizations(table: Table, start: ListStart): Promise<ListBatch<StoredOrganization>> {
  const batch = await table.list({ ...partitions.allOrganizations(), ...start });
  const positions = new Map(batch.items.map(({ pk, gsi1sk }) => [pk.slice('ORG#'.length), String(gsi1sk)]));
  return { items: await loadOrganizations(table, [...positions.keys()]), last: batch.last, positions };
}

/** The index of the write that `insertOrganization` adds to the account of the creator. */
export const CREATOR_WRITE = 4;

/**
 * Builds the writes that create an organization with its first admin. Write 0 is refused when the slug is in use,
 * `CREATOR_WRITE` unless the creator has an account with fewer than `maxMemberships`.
 */
export function insertOrganization(org: StoredOrganization, adminId: string, maxMemberships: number): Write[] {
  const { version, ...data } = org;
  const item = { ...keys.organization(org.id), ...indexKeys.organization(org.createdAt, org.id), ...encode(data) };
  return [
    claimSlug(org),
    { put: toUsageItem(org, null) },
    { put: { ...item, version, admins: 1 }, when: { absent: true } },
    { put: toMemberItem(org.id, adminId, 'ADMIN', org.createdAt), when: { absent: true } },
    addMembership(adminId, org.id, 'ADMIN', maxMemberships),
    createStorage(org.id),
  ];
}

const claimSlug = (org: StoredOrganization): Write => ({
  put: { ...keys.slug(org.slug), orgId: org.id },
  when: { absent: true },
});

const releaseSlug = (org: StoredOrganization, now: string): Write[] => [
  { remove: keys.slug(org.slug), when: { equals: { orgId: org.id } } },
  { put: toUsageItem(org, now) },
];

/** Builds the write that replaces the data of an organization; refused unless the stored version is the previous one. */
const replaceData = ({ version, ...data }: StoredOrganization, more: Record<string, unknown> = {}): Write => ({
  update: keys.organization(data.id),
  set: { ...encode(data), version, ...more },
  when: { equals: { version: version - 1 } },
});

/**
 * Builds an organization with other fields and the writes that store it; a new slug ends the use of the old one in the
 * same transaction. Write 0 is refused after a concurrent change, SLUG_WRITE when the new slug is in use.
 */
export function replaceOrganization(
  org: StoredOrganization,
  input: OrganizationInput,
  now: string,
): { next: StoredOrganization; writes: Write[] } {
  const isRenamed = input.slug !== org.slug;
  const next = {
    ...org,
    ...input,
    updatedAt: now,
    version: org.version + 1,
    slugSince: isRenamed ? now : org.slugSince,
  };
  const moveSlug = isRenamed ? [claimSlug(next), ...releaseSlug(org, now)] : [];
  return { next, writes: [replaceData(next), ...moveSlug, { put: toUsageItem(next, null) }] };
}

/** The write of `replaceOrganization` that claims a new slug. */
export const SLUG_WRITE = 1;

const toMemberItem = (orgId: string, userId: string, role: MemberRole, now: string): Item => ({
  ...keys.member(orgId, userId),
  userId,
  role,
  joinedAt: now,
});

const setMembership = (userId: string, orgId: string, role: MemberRole): Write => ({
  update: keys.account(userId),
  set: { [`memberships.${orgId}`]: role },
  when: { absent: false },
});

/** Adds a membership to an account that has fewer than `max`, which bounds the size of accounts and of lists of forms. */
const addMembership = (userId: string, orgId: string, role: MemberRole, max: number): Write => ({
  ...setMembership(userId, orgId, role),
  when: { absent: false, smaller: { memberships: max } },
});

const removeMembership = (userId: string, orgId: string): Write => ({
  update: keys.account(userId),
  unset: [`memberships.${orgId}`],
  when: { absent: false },
});

/**
 * The condition of every transaction that creates a resource in an organization: it exists. A deletion removes it first;
 * nothing is created after that, so the deletion finds all resources.
 */
export const checkOrganization = (orgId: string): Write => ({
  check: keys.organization(orgId),
  when: { absent: false },
});

/**
 * Builds the writes that add a member. Write 0 is refused for a member, 1 when the organization was deleted, 2 unless there is an
 * account with fewer than `maxMemberships`.
 */
export const insertMember = (orgId: string, userId: string, now: string, maxMemberships: number): Write[] => [
  { put: toMemberItem(orgId, userId, 'MEMBER', now), when: { absent: true } },
  checkOrganization(orgId),
  addMembership(userId, orgId, 'MEMBER', maxMemberships),
];

/** Lists some ids of an organization's members, sorted by id. */
export async function listMemberIds(table: Table, orgId: string, start: ListStart) {
  const batch = await table.list({ ...partitions.members(orgId), ...start });
  return { items: batch.items.map((item) => String(item.userId)), last: batch.last };
}

/** Lists the ids of the admins among some members of an organization. */
export async function listAdminIds(table: Table, orgId: string, start: ListStart) {
  const batch = await table.list({ ...partitions.members(orgId), ...start });
  return {
    items: batch.items.filter(({ role }) => role === 'ADMIN').map(({ userId }) => String(userId)),
    last: batch.last,
  };
}

/** Reads the role of a user in an organization; undefined unless the user is a member. */
export async function loadMemberRole(table: Table, orgId: string, userId: string): Promise<MemberRole | undefined> {
  const [item] = await table.read([keys.member(orgId, userId)]);
  return parseRole(item);
}

/** Parses the role of the item of a member; undefined when there is none. */
const parseRole = (item: Item | undefined): MemberRole | undefined =>
  item && (item.role === 'ADMIN' ? 'ADMIN' : 'MEMBER');

/** A member who leaves. `notices`: since when they have got the mails about new responses to forms, by their keys. */
type LeavingMember = { role: MemberRole; notices: Readonly<Record<string, string>>; noticeCount: number };

/** Parses the item of a member who leaves; undefined when there is none. */
export function parseLeavingMember(item: Item | undefined): LeavingMember | undefined {
  const role = parseRole(item);
  const notices = (item?.notices ?? {}) as LeavingMember['notices'];
  return role && { role, notices, noticeCount: Number(item?.noticeCount ?? 0) };
}

/** Reads the number of admins of an organization; 0 when there is none. */
export async function countAdmins(table: Table, orgId: string): Promise<number> {
  const [item] = await table.read([keys.organization(orgId)]);
  return Number(item?.admins ?? 0);
}

/** Changes the number of admins; refused when none would remain, or when the organization is deleted. */
const addToAdmins = (orgId: string, change: 1 | -1): Write => ({
  update: keys.organization(orgId),
  add: { admins: change },
  when: { above: { admins: change === 1 ? 0 : 1 } },
});

/**
 * Builds the writes that change a member's role. Write 0 is refused when the role is no longer `from`, 1 when no admin
 * would remain or the organization is deleted (the refused item is then absent).
 */
export const setMemberRole = (orgId: string, userId: string, from: MemberRole, to: MemberRole): Write[] => [
  { update: keys.member(orgId, userId), set: { role: to }, when: { equals: { role: from } } },
  addToAdmins(orgId, to === 'ADMIN' ? 1 : -1),
  setMembership(userId, orgId, to),
];

/**
 * Builds the writes that remove a member and the mail about it, which are refused like those of `setMemberRole`, and when the member
 * gets mails about other forms meanwhile.
 */
export const deleteMember = (orgId: string, userId: string, { role, noticeCount }: LeavingMember): Write[] => [
  {
    remove: keys.member(orgId, userId),
    when: noticeCount === 0 ? { equals: { role }, below: { noticeCount: 1 } } : { equals: { role, noticeCount } },
  },
  role === 'ADMIN' ? addToAdmins(orgId, -1) : checkOrganization(orgId),
  removeMembership(userId, orgId),
  { remove: keys.memberMail(orgId, userId) },
];

/**
 * Builds the writes that remove an organization of this version and release its slug, whose usage keeps the name of the
 * organization. Its members, units and forms are left to its deletion.
 */
export const removeOrganization = (org: StoredOrganization, now: string): Write[] => [
  { remove: keys.organization(org.id), when: { equals: { version: org.version } } },
  ...releaseSlug(org, now),
];

/** Removes a member of a deleted organization, whose account may be deleted too; can be repeated. Throws StorageBusy. */
export async function removeFormerMember(table: Table, orgId: string, userId: string): Promise<void> {
  const removals = [{ remove: keys.member(orgId, userId) }, { remove: keys.memberMail(orgId, userId) }];
  if (!(await wasWritten(table, [...removals, removeMembership(userId, orgId)]))) await table.write(removals);
}

/** Returns the id of the organization that uses a slug now, from the item of the slug. */
export const readOrganizationId = (slugItem: Item | undefined): string | undefined =>
  slugItem ? String(slugItem.orgId) : undefined;

/** Reads the id of the organization that uses a slug now; undefined when there is none. */
export async function findSlugOwner(table: Table, slug: string): Promise<string | undefined> {
  const [item] = await table.read([keys.slug(slug)]);
  return readOrganizationId(item);
}

/** Lists some uses of a slug, newest first. */
export async function listSlugUsages(table: Table, slug: string, start: ListStart) {
  const batch = await table.list({ ...partitions.slugUsages(slug), ...start, descending: true });
  const items = batch.items.map(
    (item): SlugUsage => ({
      orgId: String(item.orgId),
      orgName: String(item.orgName),
      startedAt: String(item.startedAt),
      endedAt: typeof item.endedAt === 'string' ? item.endedAt : null,
    }),
  );
  return { items, last: batch.last };
}

// How many bytes of files an organization stores: one small item, created with the organization and removed with it. The
// worker `tally` adds what responses attach and remove, so it follows within seconds. Only uploads read it.

/** The settings that limit the stored bytes of each organization, and of the guests of each form. */
export type StorageLimit = { config: { readonly maxStoredBytes: number; readonly maxGuestBytes: number } };

/** Builds the write that creates the count of stored bytes of a new organization. */
export const createStorage = (orgId: string): Write => ({
  put: { ...keys.storage(orgId), bytes: 0 },
  when: { absent: true },
});

/** Builds the write that adds to the stored bytes; refused when the organization was deleted. */
export const addStoredBytes = (orgId: string, bytes: number): Write => ({
  update: keys.storage(orgId),
  add: { bytes },
  when: { absent: false },
});

/** Reads the stored bytes of an organization; undefined when it was deleted. */
export async function loadStoredBytes(table: Table, orgId: string): Promise<number | undefined> {
  const [item] = await table.read([keys.storage(orgId)]);
  return item && Number(item.bytes);
}

/**
 * Throws 413 when an organization would store more than it may with so many bytes more, or the guests of a form, for files of
 * one of them.
 */
export async function requireStorageRoom(
  { table, config: { maxStoredBytes, maxGuestBytes } }: Pick<Ports, 'table'> & StorageLimit,
  { orgId, guestsOf }: { orgId: string; guestsOf?: string | undefined },
  moreBytes: number,
): Promise<void> {
  const guestKeys = guestsOf === undefined ? [] : [keys.guestStorage(guestsOf)];
  const [ofOrganization, ofGuests] = await table.read([keys.storage(orgId), ...guestKeys]);
  if (Number(ofGuests?.bytes ?? 0) + moreBytes > maxGuestBytes && guestsOf !== undefined)
    throw problems.guestStorageFull(maxGuestBytes);
  if (Number(ofOrganization?.bytes ?? 0) + moreBytes > maxStoredBytes) throw problems.storageFull(maxStoredBytes);
}
