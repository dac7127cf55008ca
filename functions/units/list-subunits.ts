/** Lists the direct children of a unit, or of one of its descendants. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { listChildren, openUnit, requireParentWithin } from '#core/organizations/units.ts';
import { fitBatch } from '#core/schema/page-size.ts';

export const handler = operation(units.listSubunits, openUnit, async ({ unit, tree, query, after, app }) => {
  const parentId = requireParentWithin(tree, unit.id, query.parentId);
  const start = { limit: query.limit, after };
  const { items, last } = fitBatch(await listChildren(app, tree, parentId, start));
  return { body: items, next: last };
});
