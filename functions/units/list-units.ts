/** The units at the root of an organization, or the children of one. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { organizationWithUnits } from '#core/organizations/unit-open.ts';
import { pageChildren } from '#core/organizations/unit-service.ts';

export const handler = operation(units.listUnits, organizationWithUnits, async ({ org, tree, query, app }) =>
  pageChildren(app, org.id, tree, query.parentId ?? null, query),
);
