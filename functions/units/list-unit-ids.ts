/** The ids of the units at the root of an organization, or of the children of one. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { organizationWithUnits } from '#core/organizations/unit-open.ts';
import { pageChildIds } from '#core/organizations/unit-service.ts';

export const handler = operation(units.listUnitIds, organizationWithUnits, async ({ org, tree, query, app }) =>
  pageChildIds(app, org.id, tree, query.parentId ?? null, query),
);
