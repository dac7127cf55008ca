/** Lists the units at the root of an organization, or the children of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganizationWithUnits } from '#core/organizations/unit-open.ts';
import { pageChildren } from '#core/organizations/unit-service.ts';
import { fitPage } from '#core/schema/page-size.ts';

export const handler = operation(units.listUnits, openOrganizationWithUnits, async ({ tree, query, after, app }) => {
  const parentId = query.parentId ?? null;
  const start = { limit: query.limit, after };
  const { items, last } = fitPage(await pageChildren(app, tree, parentId, start));
  return { body: items, next: last };
});
