/** Replaces the fields of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unit } from '#core/organizations/unit-open.ts';
import { changeUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.updateUnit, unit, async ({ unit, body, app }) => ({
  body: await changeUnit(app, unit, body),
}));
