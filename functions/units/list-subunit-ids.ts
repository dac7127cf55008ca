/** The ids of the direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unit } from '#core/organizations/unit-open.ts';
import { pageChildIds, withinUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.listSubunitIds, unit, async ({ org, unit, tree, query, app }) =>
  pageChildIds(app, org.id, tree, withinUnit(tree, unit.id, query.parentId), query),
);
