/** Creates a unit at the root of an organization. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { organization } from '#core/organizations/open.ts';
import { addUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.createUnit, organization, async ({ org, body, app }) => ({
  body: await addUnit(app, org.id, body),
}));
