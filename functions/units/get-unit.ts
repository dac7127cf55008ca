/** Returns a unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { openUnit } from '#core/organizations/units.ts';

export const handler = operation(units.getUnit, openUnit, async ({ unit }) => ({ body: unit }));
