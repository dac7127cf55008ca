/** Shows a unit of an organization. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openUnit } from '#core/organizations/units.ts';
import { toTypedDetails } from '#core/pages/organizers/details.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { loadUnitNames, renderUnitPage } from '#core/pages/organizers/units.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showUnit,
  openUnit,
  async ({ app, orgId, account, roles, unit, tree, context }) => {
    const [head, named] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      loadUnitNames(app, tree, unit.id),
    ]);
    return { html: renderUnitPage(context, head, { ...named, unit, typed: toTypedDetails(unit), errors: {} }) };
  },
);
