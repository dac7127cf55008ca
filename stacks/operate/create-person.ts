/**
 * `npm run create-person -- EMAIL NAME`: creates an account that may sign in by its user id, for stages without an
 * identity provider. It needs `TABLE_NAME` and `AWS_REGION` of the stage, and credentials that may write the table.
 */

import { chooseNames, createAccount } from '#core/accounts/accounts.ts';
import { Onboarding } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { WriteRefused } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { Problem } from '#core/problems/problems.ts';

type NewPerson = { id: string; email: string; username: string; name: string };

/** Creates an account that is onboarded. Throws when the e-mail address or the username is in use or not valid. */
export async function createPerson(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  { id, email, username, name }: NewPerson,
): Promise<void> {
  const names = Onboarding().parse({ username, name });
  const at = now().toISOString();
  try {
    const account = await createAccount(table, { id, emails: [email], avatarUrl: '', now: at });
    await chooseNames({ table, now }, account, names);
  } catch (error) {
    if (error instanceof WriteRefused) throw new Error(`There is an account of ${email} already.`);
    if (!(error instanceof Problem)) throw error;
    throw new Error(`The username ${username} is taken. The account of ${email} chooses another one when it signs in.`);
  }
}

if (import.meta.main) {
  const [email, name] = process.argv.slice(2);
  if (!email?.includes('@') || !name) {
    console.error('usage: npm run create-person -- EMAIL NAME, a name of 4 to 15 letters, digits or underscores');
    process.exit(2);
  }
  const id = app().uuid();
  await createPerson(app(), { id, email, username: name, name });
  console.log(`${name} has the user id ${id}. Where INTERNAL_LOGIN is true, anybody who knows it can sign in as them:
treat it as a password. Members of an organization see the ids of each other.

npm run smoke -- URL --uid ${id}
DEMO_PEOPLE='[{"id":"${id}","name":"${name}","role":""}]' in the settings of the stage offers it on the sign-in page.`);
}
