/** Opener of files. A file is visible to its uploader, to the members of the form's organization, and to operators. */
import { type Caller, type Opener, pathId, type Role, signedInCaller } from '#core/access/access.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { gateOf } from '#core/forms/gate.ts';
import { formRoles } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { fileOf, type StoredFile } from '#core/responses/files.ts';

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
