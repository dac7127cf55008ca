/**
 * Deletes a person: their responses with files, their memberships, and their account with its identities and sessions. Repeating it
 * continues an interrupted run, and deletes what an access token has started after the account was deleted.
 */

import { loadAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { readBatches } from '#core/db/batches.ts';
import { type Key, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { ItemListRequest, Table } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { removeMember } from '#core/organizations/service.ts';
import { loadOrganization, removeFormerMember } from '#core/organizations/store.ts';
import { Problem } from '#core/problems/problems.ts';
import { parseResponse } from '#core/responses/store.ts';
import { deleteResponse } from './marks.ts';

const BATCH_SIZE = 100;

/** `isFound`: there was an account. `responses`: how many of theirs were deleted. */
type DeletedPerson = { isFound: boolean; responses: number };

/**
 * Deletes a person. Throws 400 when they are the last admin of an organization, before anything of theirs is deleted but
 * other memberships.
 */
export async function deletePerson(app: ChangePorts, userId: string): Promise<DeletedPerson> {
  const deleted: DeletedPerson = { isFound: false, responses: 0 };
  // Not `change`: several writes, one after the other, of which each run finds what is left.
  await untilWritten(async () => {
    const account = await loadAccount(app.table, userId);
    deleted.isFound ||= account !== undefined;
    // One after the other: each changes the account.
    for (const orgId of Object.keys(account?.memberships ?? {})) await leaveOrganization(app, orgId, userId);
    deleted.responses += await deleteResponses(app, userId);
    // Last, because a repeated run finds the rest through the account.
    await removeAccount(app, userId, account);
  });
  return deleted;
}

/** Ends a membership, also one in an organization that is being deleted. Throws 400 for the last admin. */
async function leaveOrganization(app: ChangePorts, orgId: string, userId: string): Promise<void> {
  await ignoreNotFound(removeMember(app, orgId, userId));
  if (!(await loadOrganization(app.table, orgId))) await removeFormerMember(app.table, orgId, userId);
}

/** Deletes the responses of a person; returns their number. */
async function deleteResponses(app: ChangePorts, userId: string): Promise<number> {
  let responses = 0;
  for await (const entries of readBatches(app.table, { ...partitions.responsesOfUser(userId), limit: BATCH_SIZE })) {
    const ids = [...new Set(entries.map(({ gsi1sk = '' }) => lastPart(gsi1sk)))];
    const items = await app.table.read([...ids.map(keys.response), ...ids.map(keys.formGate)]);
    for (const [index, item] of items.slice(0, ids.length).entries()) {
      const response = parseResponse(item);
      if (!response) continue;
      const gate = parseGate(items[ids.length + index]);
      // Each is a transaction; in parallel they would conflict in the number of the person's files.
      await ignoreNotFound(
        deleteResponse(app, response, { spreadsheetId: gate?.spreadsheetId ?? null, roles: ['admin'] }),
      );
      responses += 1;
    }
  }
  return responses;
}

/** Removes an account. Throws WriteRefused when somebody has made the person a member meanwhile. */
async function removeAccount(app: ChangePorts, id: string, account: Account | undefined): Promise<void> {
  const { emails = [], username = '' } = account ?? {};
  await app.table.remove([
    ...(await listKeys(app.table, partitions.identitiesOf(id))),
    ...(await listKeys(app.table, partitions.sessionsOf(id))),
    ...emails.map(keys.email),
    ...(username === '' ? [] : [keys.username(username)]),
    keys.fileCount(id),
  ]);
  if (account) await app.table.write([{ remove: keys.account(id), when: { smaller: { memberships: 1 } } }]);
}

async function listKeys(table: Table, partition: Omit<ItemListRequest, 'limit'>): Promise<Key[]> {
  const found: Key[] = [];
  for await (const items of readBatches(table, { ...partition, limit: BATCH_SIZE })) {
    found.push(...items.map(({ pk, sk }) => ({ pk, sk })));
  }
  return found;
}

/** Waits for a deletion of a resource; ignores that it was already deleted. */
async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
  }
}
