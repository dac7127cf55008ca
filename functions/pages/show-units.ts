/** Shows the units of an organization. */
import { organizerPages } from '#core/api/pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { loadNamedTree, renderUnitsPage } from '#core/pages/organizers/units.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showUnits,
  openOrganization,
  async ({ app, orgId, account, roles, context }) => {
    const [head, tree] = await Promise.all([loadHead(app, { orgId, account, roles }), loadNamedTree(app, orgId)]);
    return { html: renderUnitsPage(context, head, { ...tree, newId: app.uuid() }) };
  },
);
