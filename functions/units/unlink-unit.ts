/** Moves a unit to the root. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { linkUnit, openUnitById } from '#core/organizations/units.ts';

export const handler = operation(units.unlinkUnit, openUnitById, ({ unit, app }) =>
  linkUnit(app, { orgId: unit.orgId, childId: unit.id, parentId: null }, { body: undefined }),
);
