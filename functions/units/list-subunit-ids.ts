/** Lists the ids of the direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnit, pageChildIds, parentWithin } from '#core/organizations/units.ts';

export const handler = operation(units.listSubunitIds, openUnit, async ({ unit, tree, query, after }) => {
  const parentId = parentWithin(tree, unit.id, query.parentId);
  const start = { limit: query.limit, after };
  const { items, last } = pageChildIds(tree, parentId, start);
  return { body: items, next: last };
});
