/** A response as its readers see it: its preview, and for members what became of its deliveries. */
import type { Caller, Role } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/store.ts';
import type { Table } from '#core/db/table.ts';
import { formRoles } from '#core/forms/open.ts';
import { loadDeliveryStatuses } from './deliveries.ts';
import type { ResponsePreview } from './model.ts';
import { previewOf } from './preview.ts';
import type { OpenedResponse } from './service.ts';

type Reader = { caller: Caller; roles: readonly Role[] };

/** The preview of a response for a reader. */
export async function showResponse(
  table: Table,
  opened: OpenedResponse,
  { caller, roles }: Reader,
): Promise<ResponsePreview> {
  const { id, userId } = opened.response;
  const isMember = roles.includes('member');
  const [respondent, statuses] = await Promise.all([
    loadAccount(table, userId),
    isMember ? loadDeliveryStatuses(table, id) : undefined,
  ]);
  const preview = previewOf(opened, respondent);
  if (statuses) return { ...preview, deliveries: statuses };
  // The roles of an owner in the organization are known only from the account.
  const isOwnerMember = userId === caller.id && formRoles(respondent, opened.gate, caller).includes('member');
  return isOwnerMember ? { ...preview, deliveries: await loadDeliveryStatuses(table, id) } : preview;
}
