/** Reads and writes accounts; usernames and e-mails are unique by items of their own, written in one transaction. */
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { type Item, type Table, type Write, WriteRefused } from '#core/db/table.ts';
import type { Account, Onboarding } from './model.ts';

/** The account of an item; memberships stand beside the data, so that organizations can change them alone. */
export function accountOf(item: Item | undefined): Account | undefined {
  if (!item) return undefined;
  const stored = decode<Omit<Account, 'version' | 'memberships'>>(item);
  return { ...stored, version: Number(item.version), memberships: (item.memberships ?? {}) as Account['memberships'] };
}

/** The account of an id, or undefined. */
export async function loadAccount(table: Table, userId: string): Promise<Account | undefined> {
  const [item] = await table.read([keys.account(userId)]);
  return accountOf(item);
}

/** The accounts of some ids (100 at most), by id; absent ones are left out. */
export async function loadAccounts(table: Table, userIds: readonly string[]): Promise<Map<string, Account>> {
  const ids = [...new Set(userIds)];
  const items = await table.read(ids.map(keys.account));
  const accounts = items.map(accountOf).filter((account) => account !== undefined);
  return new Map(accounts.map((account) => [account.id, account]));
}

/** The account that has an e-mail address, without regard to case. */
export async function findAccountByEmail(table: Table, email: string): Promise<Account | undefined> {
  const [pointer] = await table.read([keys.email(email)]);
  return pointer ? loadAccount(table, String(pointer.userId)) : undefined;
}

export type NewAccount = { id: string; emails: string[]; avatarUrl: string; now: string };

/**
 * Creates an account that is not onboarded yet, together with further writes. Throws WriteRefused when its id or an
 * e-mail is taken, or one of those is refused.
 */
export async function createAccount(table: Table, input: NewAccount, also: readonly Write[] = []): Promise<Account> {
  const stored = {
    id: input.id,
    username: '',
    name: '',
    emails: input.emails,
    avatarUrl: input.avatarUrl,
    onboarded: false,
    createdAt: input.now,
    updatedAt: input.now,
  };
  await table.write([
    { put: { ...keys.account(input.id), ...encode(stored), version: 1, memberships: {} }, when: { absent: true } },
    ...input.emails.map(
      (email): Write => ({ put: { ...keys.email(email), userId: input.id }, when: { absent: true } }),
    ),
    ...also,
  ]);
  return { ...stored, version: 1, memberships: {} };
}

/** Who somebody is at a provider of identities; `email` is theirs for certain, or empty. */
export type Identity = { provider: string; subject: string; email: string };

/** What is known of an identity. */
export type KnownIdentity = {
  /** Whose it is by what is stored, even if that account is gone. */
  userId: string | undefined;
  account: Account | undefined;
  /** Whether somebody has its e-mail address, and who that is. */
  emailTaken: boolean;
  emailOwner: Account | undefined;
};

/** Looks up an identity and its e-mail address: the pointers in one read, the accounts in another. */
export async function findIdentity(table: Table, { provider, subject, email }: Identity): Promise<KnownIdentity> {
  const wanted = [keys.identity(provider, subject), ...(email === '' ? [] : [keys.email(email)])];
  const [identity, pointer] = await table.read(wanted);
  const userId = identity && String(identity.userId);
  const ownerId = pointer && String(pointer.userId);
  const accounts = await loadAccounts(
    table,
    [userId, ownerId].filter((id) => id !== undefined),
  );
  return {
    userId,
    account: accounts.get(userId ?? ''),
    emailTaken: pointer !== undefined,
    emailOwner: accounts.get(ownerId ?? ''),
  };
}

/** The write that makes an identity an account's: a new one, or one whose account of before is gone. */
export const claimIdentity = (
  { provider, subject }: Identity,
  userId: string,
  before: string | undefined,
  now: string,
): Write => ({
  put: { ...keys.identity(provider, subject), userId, createdAt: now },
  when: before === undefined ? { absent: true } : { equals: { userId: before } },
});

/** Makes an identity that of an account. Throws WriteRefused when it is somebody's already, or the account is gone. */
export const linkIdentity = (
  table: Table,
  identity: Identity,
  userId: string,
  before: string | undefined,
  now: string,
): Promise<void> =>
  table.write([claimIdentity(identity, userId, before, now), { check: keys.account(userId), when: { absent: false } }]);

/** Gives an account an e-mail address. Throws WriteRefused when somebody has it, or the account changed meanwhile. */
export async function addEmail(table: Table, account: Account, email: string, now: string): Promise<Account> {
  const { version, memberships, ...stored } = account;
  const next = { ...stored, emails: [...account.emails, email], updatedAt: now };
  await table.write([
    {
      update: keys.account(account.id),
      set: { ...encode(next), version: version + 1 },
      when: { equals: { version } },
    },
    { put: { ...keys.email(email), userId: account.id }, when: { absent: true } },
  ]);
  return { ...next, version: version + 1, memberships };
}

/**
 * Gives an account its username and name, releasing the username it had. Answers 'taken' when somebody else has
 * the username; throws WriteRefused when the account changed meanwhile.
 */
export async function nameAccount(
  table: Table,
  account: Account,
  names: Onboarding,
  now: string,
): Promise<Account | 'taken'> {
  const { version, memberships, ...stored } = account;
  const next = { ...stored, ...names, onboarded: true, updatedAt: now };
  const update: Write = {
    update: keys.account(account.id),
    set: { ...encode(next), version: version + 1 },
    when: { equals: { version } },
  };
  const sameName = account.username.toLowerCase() === names.username.toLowerCase();
  const claim: Write = { put: { ...keys.username(names.username), userId: account.id }, when: { absent: true } };
  const release: Write = { remove: keys.username(account.username), when: { equals: { userId: account.id } } };
  const moves = sameName ? [] : [claim, ...(account.username === '' ? [] : [release])];
  try {
    await table.write([update, ...moves]);
  } catch (error) {
    if (error instanceof WriteRefused && error.index === 1) return 'taken';
    throw error;
  }
  return { ...next, version: version + 1, memberships };
}
