/** Deletes a unit; its children move to its parent. */
import { units } from '#core/api/units.ts';
import { operation } from '#core/http/operation.ts';
import { deleteUnit, openUnit } from '#core/organizations/units.ts';

export const handler = operation(units.deleteUnit, openUnit, async ({ unit, app }) => {
  await deleteUnit(app, unit);
  return { body: undefined };
});
