/** Deletes a unit. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { deleteUnit, openUnit } from '#core/organizations/units.ts';
import { organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.deleteUnit, openUnit, async ({ app, unit, params: { slug } }) => {
  await deleteUnit(app, unit);
  return { location: withDone(`${organizationHref(slug)}/units`, 'unitDeleted') };
});
