/**
 * Opener of export jobs. An export is visible to the member who asked for it and to the admins of the form's
 * organization.
 */
import { type Caller, type Opener, pathId, type Role, signedInCaller } from '#core/access/access.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { gateOf } from '#core/forms/gate.ts';
import { formRoles } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import type { ExportJob } from './export-model.ts';
import { exportOf } from './export-store.ts';

/** The export of `{exportId}`. One read: the id contains the form key. */
export const openExport: Opener<{ caller: Caller; job: ExportJob }> = async (call) => {
  const caller = signedInCaller(call.user);
  const exportId = pathId(call.params, 'exportId');
  const itemKeys = [keys.export(exportId), keys.formGate(exportId), keys.account(caller.id)];
  const [exportItem, gateItem, accountItem] = await call.app.table.read(itemKeys);
  const job = exportOf(exportItem);
  const gate = gateOf(gateItem);
  if (!job || gate?.formId !== job.formId) throw problems.notFound();
  const roles = formRoles(accountOf(accountItem), gate, caller);
  const owner: Role[] = job.userId === caller.id && roles.includes('member') ? ['owner'] : [];
  if (owner.length === 0 && !roles.includes('admin')) throw problems.notFound();
  return { resource: { caller, job }, roles: [...owner, ...roles] };
};
