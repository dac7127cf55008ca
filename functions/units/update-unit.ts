/** Replaces the fields of a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnit, updateUnit } from '#core/organizations/units.ts';

export const handler = operation(units.updateUnit, openUnit, async ({ unit, body, app }) => ({
  body: await updateUnit(app, unit, body),
}));
