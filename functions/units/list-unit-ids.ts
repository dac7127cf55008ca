/** Lists the ids of the units at the root of an organization, or of the children of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { listChildIds, openOrganizationWithUnits } from '#core/organizations/units.ts';

export const handler = operation(units.listUnitIds, openOrganizationWithUnits, async ({ tree, query, after }) => {
  const parentId = query.parentId ?? null;
  const start = { limit: query.limit, after };
  const { items, last } = listChildIds(tree, parentId, start);
  return { body: items, next: last };
});
