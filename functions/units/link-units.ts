/** Puts a unit under another one, or at the root. */

import { signedIn } from '#core/accounts/open.ts';
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { requireAdmin } from '#core/organizations/service.ts';
import { linkUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.linkUnits, signedIn, async ({ user, body, app }) => {
  await requireAdmin(app, user, body.orgId);
  await linkUnit(app, body.orgId, body.childId, body.parentId ?? null);
  return { body };
});
