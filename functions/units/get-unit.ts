/** A unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unit } from '#core/units/open.ts';

export const handler = operation(units.getUnit, unit, async ({ unit }) => ({ body: unit }));
