/** Takes a unit from its parent; it stands at the root then. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unitAlone } from '#core/organizations/unit-open.ts';
import { linkUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.unlinkUnit, unitAlone, async ({ unit, app }) => {
  await linkUnit(app, unit.orgId, unit.id, null);
  return { body: undefined };
});
