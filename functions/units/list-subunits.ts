/** The direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unit } from '#core/organizations/unit-open.ts';
import { pageChildren, withinUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.listSubunits, unit, async ({ org, unit, tree, query, app }) =>
  pageChildren(app, org.id, tree, withinUnit(tree, unit.id, query.parentId), query),
);
