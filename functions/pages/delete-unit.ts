/** Deletes a unit; a unit that does not exist counts as deleted. */
import { parsePathId } from '#core/access/access.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { deleteUnit, loadTree } from '#core/organizations/units.ts';
import { organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.deleteUnit,
  openOrganizationReading(loadTree),
  async ({ app, orgId, readAhead, params }) => {
    await deleteUnit(app, { id: parsePathId(params, 'unitId'), orgId }, await readAhead());
    return { location: withDone(`${organizationHref(params.slug)}/units`, 'unitDeleted') };
  },
);
