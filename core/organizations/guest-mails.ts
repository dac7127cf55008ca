/**
 * Mails of an organization to people who have not asked for them, such as invitations: how many it may send in a day, how many came
 * back, whether they are paused, and to whom it sends none.
 */
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { sha256 } from '#core/schema/hash.ts';
import { NEW_ORGANIZATION_DAYS, NEW_ORGANIZATION_MAILS } from '#core/schema/limits.ts';
import type { GuestMails } from './guest-mails-model.ts';
import { checkOrganization, type StoredOrganization } from './store.ts';

/** The setting that limits the mails of each organization in a day. */
export type MailLimit = { config: { readonly maxGuestMails: number } };

const DAY_MS = 24 * 60 * 60 * 1_000;

// Addresses to which an organization sends none. Of an address only a hash is stored, which differs between organizations.

/** Why an address gets no mails of an organization: its reader wants none, has called one unwanted, or there is no such address. */
export type NoMailReason = 'unsubscribed' | 'complained' | 'bounced';

/** Hashes an address, of which capitals make no difference. */
export const hashAddress = (orgId: string, address: string): string =>
  sha256(`${orgId}#${address.toLowerCase()}`, 'base64url');

/** Reads why some addresses, by their hashes, get no mails of an organization. */
export async function loadNoMails(
  table: Table,
  orgId: string,
  addressHashes: readonly string[],
): Promise<Map<string, NoMailReason>> {
  const distinct = [...new Set(addressHashes)];
  const items = await table.read(distinct.map((hash) => keys.noMail(orgId, hash)));
  return new Map(
    items.flatMap((item, index) => (item ? [[distinct[index] ?? '', item.reason as NoMailReason] as const] : [])),
  );
}

/**
 * Whether an address gets no mails of an organization that nobody at the address has asked for. Whoever sends such a mail asks this
 * first.
 */
export const isWithoutMails = async (table: Table, orgId: string, address: string): Promise<boolean> =>
  (await loadNoMails(table, orgId, [hashAddress(orgId, address)])).size > 0;

/** Builds the write by which an address gets no mails any more; the last reason stays. */
export const stopMailsTo = (orgId: string, addressHash: string, reason: NoMailReason, now: Date): Write => ({
  put: { ...keys.noMail(orgId, addressHash), reason, createdAt: now.toISOString() },
});

/** Ends the mails of an organization to an address, at the wish of its reader; does nothing when it was deleted. */
export async function unsubscribe(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  { orgId, addressHash }: { orgId: string; addressHash: string },
): Promise<void> {
  await wasWritten(table, [checkOrganization(orgId), stopMailsTo(orgId, addressHash, 'unsubscribed', now())]);
}

// How many mails an organization sends, and how many come back.

/**
 * The mails of an organization. `today`: of the day `day`, in UTC. `queued` and `bounced`: since `since`, for the share that came
 * back. Times in milliseconds.
 */
export type StoredGuestMails = {
  day: string;
  today: number;
  since: number;
  queued: number;
  bounced: number;
  pausedAt: number | null;
  pausedReason: PauseReason | null;
};
export type PauseReason = NonNullable<GuestMails['pausedReason']>;

/** Parses the mails of an organization; undefined when it has never sent any. */
export const parseGuestMails = (item: Item | undefined): StoredGuestMails | undefined =>
  item && {
    day: String(item.day),
    today: Number(item.today),
    since: Number(item.since),
    queued: Number(item.queued),
    bounced: Number(item.bounced),
    pausedAt: typeof item.pausedAt === 'number' ? item.pausedAt : null,
    pausedReason: typeof item.pausedAt === 'number' ? (item.pausedReason as PauseReason) : null,
  };

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** The number of seconds until the next day begins, in UTC. */
export const secondsOfDay = (now: Date): number => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);

/** Returns how many mails an organization may send in a day: few while it is new. */
export const mailsPerDay = (
  { createdAt }: Pick<StoredOrganization, 'createdAt'>,
  { config: { maxGuestMails } }: MailLimit,
  now: Date,
): number =>
  now.getTime() - Date.parse(createdAt) < NEW_ORGANIZATION_DAYS * DAY_MS
    ? Math.min(NEW_ORGANIZATION_MAILS, maxGuestMails)
    : maxGuestMails;

/** Returns how many mails an organization has sent on the present day. */
export const mailsToday = (mails: StoredGuestMails | undefined, now: Date): number =>
  mails?.day === dayOf(now) ? mails.today : 0;

/** For how long mails are counted that came back. */
const WINDOW_DAYS = 7;

/**
 * Builds the write that counts mails which are queued; refused if others were counted since, or mails were paused. `before`: as it was
 * read.
 */
export function countMails(orgId: string, before: StoredGuestMails | undefined, count: number, now: Date): Write {
  const today = mailsToday(before, now) + count;
  const isSameWindow = before !== undefined && now.getTime() - before.since < WINDOW_DAYS * DAY_MS;
  const window = isSameWindow ? { queued: before.queued + count } : { since: now.getTime(), queued: count, bounced: 0 };
  const set = { day: dayOf(now), today, ...window };
  if (!before) return { put: { ...keys.guestMails(orgId), ...set }, when: { absent: true } };
  const { day, today: counted, queued } = before;
  return {
    update: keys.guestMails(orgId),
    set,
    when: { equals: { day, today: counted, queued }, below: { pausedAt: 1 } },
  };
}

/** Mails are paused when so many came back, and more than this share. */
const MIN_BOUNCED = 5;
const MAX_SHARE = 0.05;

/**
 * Builds the writes that count a mail that came back, of those since the same time, and pause the mails of the organization if too many
 * did. `queuedAt`: of the mail.
 */
export function countBounce(orgId: string, before: StoredGuestMails | undefined, queuedAt: string, now: Date): Write[] {
  if (!before || Date.parse(queuedAt) < before.since) return [];
  const bounced = before.bounced + 1;
  const isTooMany = bounced >= MIN_BOUNCED && bounced > MAX_SHARE * before.queued;
  return [
    {
      update: keys.guestMails(orgId),
      set: { bounced, ...(isTooMany && before.pausedAt === null && pausedFor('BOUNCES', now)) },
      when: { equals: { bounced: before.bounced, since: before.since } },
    },
  ];
}

/** Builds the writes that pause the mails of an organization because a reader has called one unwanted. */
export const pauseForComplaint = (orgId: string, before: StoredGuestMails | undefined, now: Date): Write[] =>
  before && before.pausedAt === null
    ? [{ update: keys.guestMails(orgId), set: pausedFor('COMPLAINT', now), when: { absent: false } }]
    : [];

const pausedFor = (pausedReason: PauseReason, now: Date) => ({ pausedAt: now.getTime(), pausedReason });

/** Presents the mails of an organization. */
export function presentGuestMails(
  org: Pick<StoredOrganization, 'createdAt'>,
  mails: StoredGuestMails | undefined,
  limit: MailLimit,
  now: Date,
): GuestMails {
  const { queued = 0, bounced = 0, pausedAt = null, pausedReason = null } = mails ?? {};
  return {
    perDay: mailsPerDay(org, limit, now),
    today: mailsToday(mails, now),
    ...{ queued, bounced },
    since: mails ? new Date(mails.since).toISOString() : null,
    pausedAt: pausedAt === null ? null : new Date(pausedAt).toISOString(),
    pausedReason,
  };
}

/** Shows the mails of an organization. */
export async function showGuestMails(
  { table, now, config }: Pick<Ports, 'table' | 'now'> & MailLimit,
  org: Pick<StoredOrganization, 'id' | 'createdAt'>,
): Promise<GuestMails> {
  const [item] = await table.read([keys.guestMails(org.id)]);
  return presentGuestMails(org, parseGuestMails(item), { config }, now());
}

/** Lets an organization send again after a pause. What came back before is not counted any more. */
export async function resumeGuestMails(
  app: ChangePorts & MailLimit,
  org: Pick<StoredOrganization, 'id' | 'createdAt'>,
): Promise<{ body: GuestMails }> {
  const set = { since: app.now().getTime(), queued: 0, bounced: 0 };
  await wasWritten(app.table, [
    { update: keys.guestMails(org.id), set, unset: ['pausedAt', 'pausedReason'], when: { above: { pausedAt: 0 } } },
  ]);
  return { body: await showGuestMails(app, org) };
}
