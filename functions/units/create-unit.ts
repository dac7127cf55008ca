/** Creates a unit at the root of an organization. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { createUnit } from '#core/organizations/units.ts';

export const handler = operation(units.createUnit, openOrganization, ({ orgId, body, app }) =>
  createUnit(app, orgId, body),
);
