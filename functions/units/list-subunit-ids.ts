/** Lists the ids of the direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { listChildIds, openUnit, requireParentWithin } from '#core/organizations/units.ts';

export const handler = operation(units.listSubunitIds, openUnit, async ({ unit, tree, query, after }) => {
  const parentId = requireParentWithin(tree, unit.id, query.parentId);
  const start = { limit: query.limit, after };
  const { items, last } = listChildIds(tree, parentId, start);
  return { body: items, next: last };
});
