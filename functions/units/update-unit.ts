/** Replaces the fields of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnit } from '#core/organizations/unit-open.ts';
import { updateUnit } from '#core/organizations/unit-service.ts';

export const handler = operation(units.updateUnit, openUnit, async ({ unit, body, app }) => ({
  body: await updateUnit(app, unit, body),
}));
