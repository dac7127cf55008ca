/** Moves a unit under another one, or to the root. */
import { signedIn } from '#core/accounts/accounts.ts';
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { requireAdmin } from '#core/organizations/service.ts';
import { linkUnit } from '#core/organizations/units.ts';

export const handler = operation(units.linkUnits, signedIn, async ({ caller, body, app }) => {
  await requireAdmin(app, caller.id, body.orgId);
  return linkUnit(app, { ...body, parentId: body.parentId ?? null }, { body });
});
