/** Says what is lost with an organization, before it is deleted. */
import { organizerPages } from '#core/api/pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { deleteOrganizationPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.confirmOrganizationDeletion,
  openOrganization,
  async ({ app, orgId, account, roles, context }) => ({
    html: deleteOrganizationPage(context, await loadHead(app, { orgId, account, roles })),
  }),
);
