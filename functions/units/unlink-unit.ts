/** Moves a unit to the root. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnitById } from '#core/organizations/unit-open.ts';
import { linkUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.unlinkUnit, openUnitById, ({ unit, app }) =>
  linkUnit(app, { orgId: unit.orgId, childId: unit.id, parentId: null }, { body: undefined }),
);
