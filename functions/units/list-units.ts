/** Lists the units at the root of an organization, or the children of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { listChildren, openOrganizationWithUnits } from '#core/organizations/units.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(units.listUnits, openOrganizationWithUnits, async ({ tree, query, after, app }) => {
  const parentId = query.parentId ?? null;
  const start = { limit: query.limit, after };
  const { items, last } = fitBatch(await listChildren(app, tree, parentId, start));
  return { body: items, next: last };
});
