/** Lists a user's own files, newest first; opens and deletes a file. */

import {
  type Call,
  type Caller,
  callerFor,
  type Opener,
  parsePathId,
  type Role,
  requireCaller,
} from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { parseGate } from '#core/forms/gate.ts';
import { formRoles } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { changeResponse, isOwner, type OpenedResponse, reopenResponse } from '#core/responses/change.ts';
import { removeFile } from '#core/responses/edits.ts';
import { loadFileCount, loadResponses, parseFile, type StoredFile } from '#core/responses/store.ts';
import { type FileDocument, type FileList, presentFile } from './model.ts';

type ReadPorts = Pick<Ports, 'table'>;

/** The number of index entries per Query while skipping to an offset. */
const ENTRIES_PER_QUERY = 2_500;

/** Lists a range of a user's files, with their total number. Reads at most 10,100 index entries. */
export async function listFiles(
  { table }: ReadPorts,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FileList> {
  const [total, ids] = await Promise.all([
    loadFileCount(table, userId),
    listNewestIds({ table }, userId, offset + limit),
  ]);
  const files = await loadReadable({ table }, ids.slice(offset));
  return { files: files.map(presentFile), total, limit, offset };
}

/** Lists the ids of a user's newest files. */
async function listNewestIds({ table }: ReadPorts, userId: string, max: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const limit = Math.min(max - ids.length, ENTRIES_PER_QUERY);
    const batch = await table.list({ ...partitions.filesOfUser(userId), limit, after, descending: true });
    ids.push(...batch.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk)));
    after = batch.last ?? undefined;
  } while (after !== undefined && ids.length < max);
  return ids;
}

/** Lists a batch of a user's files. */
export async function listMyFiles(
  { table }: ReadPorts,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ body: FileDocument[]; next: string | null }> {
  const batch = await table.list({ ...partitions.filesOfUser(userId), limit, after, descending: true });
  const ids = batch.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk));
  const files = await loadReadable({ table }, ids);
  return { body: files.map(presentFile), next: batch.last };
}

/**
 * Loads the files with the given ids, each once, in this order, except for those of deleted forms: their items may remain for
 * minutes.
 */
async function loadReadable({ table }: ReadPorts, ids: readonly string[]): Promise<StoredFile[]> {
  const fileIds = [...new Set(ids)];
  const items = await table.read([...fileIds.map(keys.file), ...fileIds.map(keys.formGate)]);
  return fileIds.flatMap((_, index) => {
    const file = parseFile(items[index]);
    return file && parseGate(items[fileIds.length + index])?.formId === file.formId ? [file] : [];
  });
}

// Opener of files. A file is visible to its uploader, with an account or a guest, to the members of the form's organization, and to operators.

/** Opens the file of `{fileId}`. One read: the id contains the form key. */
export const openFile: Opener<{ caller: Caller; file: StoredFile }> = async (call) => {
  const user = requireCaller(call.user);
  const fileId = parsePathId(call.params, 'fileId');
  const accountKeys = user.guestOf === undefined ? [keys.account(user.id)] : [];
  const itemKeys = [keys.file(fileId), keys.formGate(fileId), ...accountKeys];
  const [fileItem, gateItem, accountItem] = await call.app.table.read(itemKeys);
  const file = parseFile(fileItem);
  const gate = parseGate(gateItem);
  if (!file || gate?.formId !== file.formId) throw problems.notFound();
  const caller = callerFor(call, file.uploadedBy);
  const owner: Role[] = (await hasFile(call, caller, file)) ? ['owner'] : [];
  const roles = [...owner, ...formRoles(parseAccount(accountItem), gate, user)];
  if (!roles.some((role) => role === 'owner' || role === 'member' || role === 'operator')) throw problems.notFound();
  return { resource: { caller, file }, roles };
};

/** Whether somebody has uploaded a file, to a response that they may see. */
async function hasFile({ app }: Call, caller: Caller, file: StoredFile): Promise<boolean> {
  if (file.uploadedBy !== caller.id) return false;
  if (caller.invited?.codeAt === undefined) return true;
  const [response] = await loadResponses(app.table, [file.responseId]);
  return response !== undefined && isOwner(caller, response);
}

// Deletes one file and removes it from its answer.

/**
 * Deletes a file. Admins may do so at any time; the uploader only while the form is open and the response can be
 * edited, and a submitted response must stay complete. Throws like `changeResponse`.
 */
export async function deleteFile(app: ChangePorts, file: StoredFile, roles: readonly Role[]): Promise<void> {
  const opened = await reopenResponse(app.table, file.responseId);
  const administrator = roles.includes('admin');
  const edit = (current: OpenedResponse, now: string) => ({
    next: removeFile(current, file.id, now, { keepsPath: administrator }),
    body: undefined,
  });
  await changeResponse(app, opened, edit, { administrator });
}
