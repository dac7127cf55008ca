/** Shows the units of an organization. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { loadTree } from '#core/organizations/units.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { loadUnitNames, renderUnitsPage } from '#core/pages/organizers/units.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showUnits,
  openOrganizationReading(loadTree),
  async ({ app, orgId, account, roles, readAhead, context }) => {
    const [head, tree] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      readAhead().then((read) => loadUnitNames(app, read)),
    ]);
    return { html: renderUnitsPage(context, head, { ...tree, newId: app.uuid() }) };
  },
);
