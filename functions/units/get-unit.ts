/** A unit. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { unit } from '#core/organizations/unit-open.ts';

export const handler = operation(units.getUnit, unit, async ({ unit }) => ({ body: unit }));
