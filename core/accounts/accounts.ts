/**
 * Reads and writes accounts. Usernames and e-mails are unique by items of their own, written in the same transaction.
 */

import { type Caller, type Opener, requireCaller } from '#core/access/access.ts';
import { change } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { isGuestId, isInvitedId, keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item, Table, Write, WriteRefused } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { parseInvitation } from './invitation.ts';
import {
  type Account,
  isReservedUsername,
  type Onboarding,
  presentShortUser,
  type Respondent,
  type ShortUser,
} from './model.ts';

/** Parses the account of an item. Memberships are a separate attribute, which organizations update on its own. */
export function parseAccount(item: Item | undefined): Account | undefined {
  if (!item) return undefined;
  const stored = decode<Omit<Account, 'version' | 'memberships' | 'sessionEpoch'>>(item);
  // Older items have no epoch of sessions.
  return {
    sessionEpoch: 0,
    ...stored,
    version: Number(item.version),
    memberships: (item.memberships ?? {}) as Account['memberships'],
  };
}

/** Reads the account with an id; undefined when there is none. Guests have none, and nothing is read for them. */
export async function loadAccount(table: Table, userId: string): Promise<Account | undefined> {
  if (isGuestId(userId)) return undefined;
  const [item] = await table.read([keys.account(userId)]);
  return parseAccount(item);
}

/** Reads the accounts with the given ids, by id; absent ones, and guests, are left out. */
export async function loadAccounts(table: Table, userIds: readonly string[]): Promise<Map<string, Account>> {
  const ids = [...new Set(userIds)].filter((id) => !isGuestId(id));
  const items = await table.read(ids.map(keys.account));
  const accounts = items.map(parseAccount).filter((account) => account !== undefined);
  return new Map(accounts.map((account) => [account.id, account]));
}

/** Reads those who have responses, by id: accounts, and invited guests. Of other guests nothing is stored or read. */
export async function loadRespondents(table: Table, userIds: readonly string[]): Promise<Map<string, Respondent>> {
  const ids = [...new Set(userIds)].filter((id) => !isGuestId(id) || isInvitedId(id));
  const items = await table.read(ids.map((id) => (isInvitedId(id) ? keys.guest(id) : keys.account(id))));
  return new Map(
    ids.flatMap((id, index): [string, Respondent][] => {
      const respondent = isInvitedId(id) ? parseInvitedGuest(items[index]) : parseAccount(items[index]);
      return respondent ? [[id, respondent]] : [];
    }),
  );
}

/** Reads somebody who has a response, like `loadRespondents`. */
export const loadRespondent = async (table: Table, userId: string): Promise<Respondent | undefined> =>
  (await loadRespondents(table, [userId])).get(userId);

function parseInvitedGuest(item: Item | undefined): Respondent | undefined {
  const { label, email } = parseInvitation(item) ?? {};
  return item && { name: label ?? email ?? undefined, username: '', emails: email ? [email] : [] };
}

/** The number of users that lists remember, and for how long. */
const MAX_REMEMBERED = 5_000;
const REMEMBERED_MS = 60_000;
const remembered = new Map<string, { user: ShortUser; until: number }>();

/**
 * Loads users as lists show them, and returns a lookup by id. A warm function remembers them for a minute, because reading
 * them costs most of a list; a new name is in lists after at most that time. For an account that no longer exists, the
 * lookup returns only the id.
 */
export async function loadListedUsers(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  userIds: readonly string[],
): Promise<(id: string) => ShortUser> {
  const time = now().getTime();
  const users = new Map<string, ShortUser>();
  for (const id of userIds) {
    const entry = remembered.get(id);
    if (entry && entry.until > time && entry.until <= time + REMEMBERED_MS) users.set(id, entry.user);
  }
  const respondents = await loadRespondents(
    table,
    userIds.filter((id) => !users.has(id)),
  );
  for (const [id, respondent] of respondents) {
    const user = presentShortUser(id, respondent);
    users.set(id, user);
    // A Map keeps insertion order: the oldest entry is the first.
    remembered.delete(id);
    remembered.set(id, { user, until: time + REMEMBERED_MS });
  }
  for (const id of remembered.keys()) {
    if (remembered.size <= MAX_REMEMBERED) break;
    remembered.delete(id);
  }
  return (id) => users.get(id) ?? presentShortUser(id, undefined);
}

/** Reads the account with an e-mail address, ignoring case; undefined when there is none. */
export async function findAccountByEmail(table: Table, email: string): Promise<Account | undefined> {
  const [pointer] = await table.read([keys.email(email)]);
  return pointer && loadAccount(table, String(pointer.userId));
}

type NewAccount = { id: string; emails: string[]; avatarUrl: string; now: string };

/** Builds an account that is not onboarded, and the writes that create it unless its id or an e-mail is in use. */
export function newAccount(input: NewAccount): { account: Account; writes: Write[] } {
  const stored = {
    id: input.id,
    username: '',
    name: '',
    emails: input.emails,
    avatarUrl: input.avatarUrl,
    onboarded: false,
    sessionEpoch: 0,
    createdAt: input.now,
    updatedAt: input.now,
  };
  const writes: Write[] = [
    { put: { ...keys.account(input.id), ...encode(stored), version: 1, memberships: {} }, when: { absent: true } },
    ...input.emails.map(
      (email): Write => ({ put: { ...keys.email(email), userId: input.id }, when: { absent: true } }),
    ),
  ];
  return { account: { ...stored, version: 1, memberships: {} }, writes };
}

/** Creates an account. Throws WriteRefused when its id or an e-mail is in use. */
export async function createAccount(table: Table, input: NewAccount): Promise<Account> {
  const { account, writes } = newAccount(input);
  await table.write(writes);
  return account;
}

/** Builds an account with changed members, and the write that stores it unless the account has changed since it was read. */
function updateAccount(account: Account, changes: Partial<Account>, now: string): { next: Account; write: Write } {
  const { version, memberships, ...stored } = account;
  const next = { ...stored, ...changes, updatedAt: now };
  const write: Write = {
    update: keys.account(account.id),
    set: { ...encode(next), version: version + 1 },
    when: { equals: { version } },
  };
  return { next: { ...next, version: version + 1, memberships }, write };
}

/**
 * Builds an account with a further e-mail address, and the writes that store it unless the address is in use or the account
 * has changed since it was read.
 */
export function addEmail(account: Account, email: string, now: string): { account: Account; writes: Write[] } {
  const { next, write } = updateAccount(account, { emails: [...account.emails, email] }, now);
  return {
    account: next,
    writes: [write, { put: { ...keys.email(email), userId: account.id }, when: { absent: true } }],
  };
}

/**
 * Builds the account with other names and the writes that store it and release its previous username. Write 0 is refused
 * when the account has changed, USERNAME_WRITE when somebody else has the username.
 */
function nameAccount(account: Account, names: Onboarding, now: string): { next: Account; writes: Write[] } {
  const { next, write } = updateAccount(account, { ...names, onboarded: true }, now);
  const isSameName = account.username.toLowerCase() === names.username.toLowerCase();
  const claim: Write = { put: { ...keys.username(names.username), userId: account.id }, when: { absent: true } };
  const release: Write = { remove: keys.username(account.username), when: { equals: { userId: account.id } } };
  const moveUsername = isSameName ? [] : [claim, ...(account.username === '' ? [] : [release])];
  return { next, writes: [write, ...moveUsername] };
}

/** The write of `nameAccount` that claims the username. */
const USERNAME_WRITE = 1;

// Openers of operations without a resource in the path, or about the caller.

/** Opens operations without a resource to everybody. Never throws. */
export const anyone: Opener<Record<never, never>> = async () => ({ resource: {}, roles: [] });

/** Opens operations without a resource to signed-in callers; the account is not read. */
export const signedIn: Opener<{ caller: Caller }> = async ({ user }) => ({
  resource: { caller: requireCaller(user) },
  roles: [],
});

/** Opens the account of the caller; undefined if it no longer exists. */
export const signedInWithAccount: Opener<{ caller: Caller; account: Account | undefined }> = async ({ user, app }) => {
  const caller = requireCaller(user);
  const account = await loadAccount(app.table, caller.id);
  return { resource: { caller, account }, roles: [], ...(account && { name: account.name }) };
};

/** Opens the account of the caller. Throws 401 when it no longer exists. */
export const openAccount: Opener<{ caller: Caller; account: Account }> = async ({ user, app }) => {
  const caller = requireCaller(user);
  const account = await loadAccount(app.table, caller.id);
  if (!account) throw problems.unauthorized();
  return { resource: { caller, account }, roles: [], onboarded: account.onboarded, name: account.name };
};

// Changes of the current user's own account.

/**
 * Sets the username and the name of an account, at onboarding or later, and returns the account. Throws 409 when
 * somebody else has the username or it is reserved, 401 when the account no longer exists.
 */
export async function chooseNames(
  { table, now }: { table: Table; now(): Date },
  account: Account,
  names: Onboarding,
): Promise<Account> {
  return change(
    { table },
    {
      loaded: account,
      reload: () => reloadOwn(table, account.id),
      decide: (current) => {
        const isNew = names.username !== current.username;
        if (isNew && isReservedUsername(names.username)) throw problems.usernameTaken(names.username);
        const { next, writes } = nameAccount(current, names, now().toISOString());
        const onRefused = ({ index }: WriteRefused): void => {
          if (index === USERNAME_WRITE) throw problems.usernameTaken(names.username);
        };
        return { writes, result: next, onRefused };
      },
    },
  );
}

/** Ends all sessions of an account, those of other browsers too: none is renewed. Throws 401 when the account no longer exists. */
export async function raiseSessionEpoch({ table, now }: Pick<Ports, 'table' | 'now'>, account: Account): Promise<void> {
  await change(
    { table },
    {
      loaded: account,
      reload: () => reloadOwn(table, account.id),
      decide: (current) => {
        const { write } = updateAccount(current, { sessionEpoch: current.sessionEpoch + 1 }, now().toISOString());
        return { writes: [write], result: undefined };
      },
    },
  );
}

async function reloadOwn(table: Table, userId: string): Promise<Account> {
  const account = await loadAccount(table, userId);
  if (!account) throw problems.unauthorized();
  return account;
}
