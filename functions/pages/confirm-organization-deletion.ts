/** Shows what is deleted with an organization, and asks for confirmation. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { renderOrganizationDeletionPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.confirmOrganizationDeletion,
  openOrganization,
  async ({ app, orgId, account, roles, context }) => ({
    html: renderOrganizationDeletionPage(context, await loadHead(app, { orgId, account, roles })),
  }),
);
