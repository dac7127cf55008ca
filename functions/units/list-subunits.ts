/** Lists the direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnit, pageChildren, parentWithin } from '#core/organizations/units.ts';
import { fitPage } from '#core/schema/page-size.ts';

export const handler = operation(units.listSubunits, openUnit, async ({ unit, tree, query, after, app }) => {
  const parentId = parentWithin(tree, unit.id, query.parentId);
  const start = { limit: query.limit, after };
  const { items, last } = fitPage(await pageChildren(app, tree, parentId, start));
  return { body: items, next: last };
});
