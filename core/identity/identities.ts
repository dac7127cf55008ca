/** Whose account an identity at a provider is (contract section 2): the same one every time, linked by a verified e-mail. */

import type { Account } from '#core/accounts/model.ts';
import {
  addEmail,
  claimIdentity,
  createAccount,
  findIdentity,
  type KnownIdentity,
  linkIdentity,
} from '#core/accounts/store.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { App } from '#core/http/app.ts';
import type { Profile } from './profile.ts';

/**
 * The account of a person whom a provider vouches for: the one that the identity belongs to, else the one with the same
 * verified e-mail address, else a new one that is to be onboarded. An address that nobody verified links nothing and is
 * kept nowhere: roles, memberships and links go by addresses.
 */
export function accountOfIdentity(app: App, provider: string, profile: Profile): Promise<Account> {
  const email = profile.emailVerified ? profile.email : '';
  const identity = { provider, subject: profile.subject, email };
  return untilWritten(async () => {
    const known = await findIdentity(app.table, identity);
    const now = app.now().toISOString();
    if (known.account) return withEmail(app, known.account, known, email);
    if (known.emailOwner) {
      await linkIdentity(app.table, identity, known.emailOwner.id, known.userId, now);
      return known.emailOwner;
    }
    const id = app.uuid();
    const emails = email === '' || known.emailTaken ? [] : [email];
    const claim = claimIdentity(identity, id, known.userId, now);
    return createAccount(app.table, { id, emails, avatarUrl: profile.avatarUrl, now }, [claim]);
  });
}

/** An account without an address gets the one that was verified meanwhile, if it is nobody's. */
async function withEmail(app: App, account: Account, known: KnownIdentity, email: string): Promise<Account> {
  if (email === '' || known.emailTaken || account.emails.length > 0) return account;
  return addEmail(app.table, account, email, app.now().toISOString());
}
