/**
 * Opens the file that a path names. Who uploaded it may know it, the members of its form's organization, and operators
 * (contract section 8); for everybody else it is not there, and neither is an upload that was never attached.
 */

import { pathId } from '#core/access/path.ts';
import { present } from '#core/accounts/open.ts';
import { accountOf } from '#core/accounts/store.ts';
import type { Role } from '#core/api/declare.ts';
import { keys } from '#core/db/keys.ts';
import { formRoles } from '#core/forms/open.ts';
import { formOf } from '#core/forms/store.ts';
import type { Opener } from '#core/http/operation.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import type { StoredFile } from './model.ts';
import { fileOf } from './store.ts';

/** `roles` are what the caller is to the file: `owner` who uploaded it, and what they are in the organization. */
export type OpenedFile = { user: Caller; file: StoredFile; roles: readonly Role[] };

/** The file of `{fileId}`, whose id names the form that it belongs to: one round trip. */
export const file: Opener<OpenedFile> = async (call) => {
  const user = present(call.user);
  const fileId = pathId(call.params, 'fileId');
  const wanted = [keys.file(fileId), keys.formHead(fileId), keys.account(user.id)];
  const [fileItem, headItem, accountItem] = await call.app.table.read(wanted);
  const found = fileOf(fileItem);
  const form = found && formOf(headItem, found.formId);
  if (!found || !form) throw problems.notFound();
  const isOwner = found.uploadedBy === user.id;
  const roles: Role[] = [...(isOwner ? ['owner' as const] : []), ...formRoles(accountOf(accountItem), form, user)];
  if (!roles.some((role) => role === 'owner' || role === 'member' || role === 'operator')) throw problems.notFound();
  return { thing: { user, file: found, roles }, roles };
};
