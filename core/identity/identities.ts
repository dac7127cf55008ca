/** The accounts of identities at providers. A verified e-mail address links an identity to an existing account. */

import { addEmail, loadAccounts, newAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { change } from '#core/db/change.ts';
import { indexKeys, keys, partitions } from '#core/db/keys.ts';
import type { Table, Write } from '#core/db/table.ts';
import type { IdentityPorts } from './ports.ts';
import type { Profile } from './profile.ts';

/** A person at an identity provider; `email` is verified, or empty. */
type Identity = { provider: string; subject: string; email: string };

/**
 * Finds the account of a profile: the one that the identity belongs to, else the one with the same verified address,
 * or creates one. An unverified address links nothing and is not stored, because roles and memberships go by address.
 */
export function findOrCreateAccount(
  app: IdentityPorts,
  provider: string,
  { subject, email: address, emailVerified, avatarUrl }: Profile,
): Promise<Account> {
  const email = emailVerified ? address : '';
  const identity = { provider, subject, email };
  return change(app, {
    reload: () => findIdentity(app.table, identity),
    decide: ({ userId, account, isEmailTaken, emailOwner }) => {
      const time = app.now().toISOString();
      if (account) {
        const mayAddEmail = email !== '' && !isEmailTaken && account.emails.length === 0;
        const added = mayAddEmail ? addEmail(account, email, time) : { account, writes: [] };
        return { writes: added.writes, result: added.account };
      }
      if (emailOwner) {
        const exists = { check: keys.account(emailOwner.id), when: { absent: false } };
        return { writes: [claimIdentity(identity, emailOwner.id, userId, time), exists], result: emailOwner };
      }
      const id = app.uuid();
      const emails = email === '' || isEmailTaken ? [] : [email];
      const created = newAccount({ id, emails, avatarUrl, now: time });
      return { writes: [...created.writes, claimIdentity(identity, id, userId, time)], result: created.account };
    },
  });
}

/** An identity that is linked to an account; `since`: when it was linked, an ISO time. */
export type LinkedIdentity = { provider: string; since: string };

/** The most identities that are listed. */
const MAX_IDENTITIES = 20;

/** Lists the identities that are linked to an account, by provider. */
export async function listIdentities(table: Table, userId: string): Promise<LinkedIdentity[]> {
  const { items } = await table.list({ ...partitions.identitiesOf(userId), limit: MAX_IDENTITIES });
  const readProvider = (pk: string): string => pk.split('#')[1] ?? '';
  return items.map(({ pk, createdAt }) => ({ provider: readProvider(pk), since: String(createdAt) }));
}

/** Reads what is stored of an identity and its e-mail address. The account of `userId` may have been deleted. */
async function findIdentity(table: Table, { provider, subject, email }: Identity) {
  const pointers = [keys.identity(provider, subject), ...(email === '' ? [] : [keys.email(email)])];
  const [identity, owner] = await table.read(pointers);
  const userId = identity && String(identity.userId);
  const ownerId = owner && String(owner.userId);
  const ids = [userId, ownerId].filter((id) => id !== undefined);
  const accounts = await loadAccounts(table, ids);
  return {
    userId,
    account: accounts.get(userId ?? ''),
    isEmailTaken: owner !== undefined,
    emailOwner: accounts.get(ownerId ?? ''),
  };
}

/** The write that links an identity to an account; refused unless it is linked to `previousUserId`, or to none. */
const claimIdentity = (
  { provider, subject }: Identity,
  userId: string,
  previousUserId: string | undefined,
  createdAt: string,
): Write => ({
  put: { ...keys.identity(provider, subject), ...indexKeys.identity(userId, provider, subject), userId, createdAt },
  when: previousUserId === undefined ? { absent: true } : { equals: { userId: previousUserId } },
});
