/** Shows all forms of an organization to its members. */
import { respondentPages } from '#core/api/pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { organizationPage, organizationPageOf } from '#core/pages/organizers/organization.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  respondentPages.showOrganization,
  openOrganization,
  async ({ app, orgId, query, view }) => ({
    html: organizationPage(view, await organizationPageOf(app, orgId, query)),
  }),
);
