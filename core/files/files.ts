/** Lists of a user's own files, newest first. */

import { type Caller, type Opener, pathId, type Role, signedInCaller } from '#core/access/access.ts';
import { accountOf } from '#core/accounts/accounts.ts';
import { keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { gateOf } from '#core/forms/gate.ts';
import { formRoles } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { changeResponse, reopenResponse } from '#core/responses/change.ts';
import { removeFile } from '#core/responses/edits.ts';
import { fileOf, loadFileCount, type StoredFile } from '#core/responses/files.ts';
import { type FileList, type FileView, showFile } from './model.ts';

type Reader = Pick<Ports, 'table'>;

/** The number of index entries per Query while skipping to an offset. */
const ENTRIES_PER_QUERY = 2_500;

/** A range of a user's files, with their total number. Reads at most 10,100 index entries. */
export async function listFiles(
  { table }: Reader,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FileList> {
  const [total, ids] = await Promise.all([loadFileCount(table, userId), newestIds({ table }, userId, offset + limit)]);
  const files = await loadReadable({ table }, ids.slice(offset));
  return { files: files.map(showFile), total, limit, offset };
}

/** The ids of a user's newest files. */
async function newestIds({ table }: Reader, userId: string, max: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const limit = Math.min(max - ids.length, ENTRIES_PER_QUERY);
    const page = await table.page({ ...partitions.filesOfUser(userId), limit, after, descending: true });
    ids.push(...page.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk)));
    after = page.last ?? undefined;
  } while (after !== undefined && ids.length < max);
  return ids;
}

/** One page of a user's files. */
export async function listMyFiles(
  { table }: Reader,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ body: FileView[]; next: string | null }> {
  const page = await table.page({ ...partitions.filesOfUser(userId), limit, after, descending: true });
  const ids = page.items.map(({ gsi1sk = '' }) => lastPart(gsi1sk));
  const files = await loadReadable({ table }, ids);
  return { body: files.map(showFile), next: page.last };
}

/**
 * The files with the given ids, each once, in this order, except for those of deleted forms: their items may remain for
 * minutes.
 */
async function loadReadable({ table }: Reader, ids: readonly string[]): Promise<StoredFile[]> {
  const fileIds = [...new Set(ids)];
  const items = await table.read([...fileIds.map(keys.file), ...fileIds.map(keys.formGate)]);
  return fileIds.flatMap((_, index) => {
    const file = fileOf(items[index]);
    return file && gateOf(items[fileIds.length + index])?.formId === file.formId ? [file] : [];
  });
}

// Opener of files. A file is visible to its uploader, to the members of the form's organization, and to operators.

/** The file of `{fileId}`. One read: the id contains the form key. */
export const openFile: Opener<{ caller: Caller; file: StoredFile }> = async (call) => {
  const caller = signedInCaller(call.user);
  const fileId = pathId(call.params, 'fileId');
  const itemKeys = [keys.file(fileId), keys.formGate(fileId), keys.account(caller.id)];
  const [fileItem, gateItem, accountItem] = await call.app.table.read(itemKeys);
  const file = fileOf(fileItem);
  const gate = gateOf(gateItem);
  if (!file || gate?.formId !== file.formId) throw problems.notFound();
  const owner: Role[] = file.uploadedBy === caller.id ? ['owner'] : [];
  const roles = [...owner, ...formRoles(accountOf(accountItem), gate, caller)];
  if (!roles.some((role) => role === 'owner' || role === 'member' || role === 'operator')) throw problems.notFound();
  return { resource: { caller, file }, roles };
};

// Deletes one file and removes it from its answer.

/**
 * Deletes a file. Admins may do so at any time; the uploader only while the form is open and the response can be
 * edited, and a submitted response must stay complete. Throws like `changeResponse`.
 */
export async function deleteFile(app: ChangePorts, file: StoredFile, roles: readonly Role[]): Promise<void> {
  const opened = await reopenResponse(app.table, file.responseId);
  await changeResponse(
    app,
    opened,
    ({ response }, now) => removeFile(response, file.id, now),
    () => undefined,
    { administrator: roles.includes('admin') },
  );
}
