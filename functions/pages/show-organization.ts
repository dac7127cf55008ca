/** Shows all forms of an organization to its members. */
import { respondentPages } from '#core/api/pages.ts';
import { openOrganization } from '#core/organizations/open.ts';
import { organizationPage } from '#core/pages/organization.ts';
import { organizationPageOf } from '#core/pages/organization-data.ts';
import { page } from '#core/pages/page.ts';

export const handler = page(
  respondentPages.showOrganization,
  openOrganization,
  async ({ app, orgId, query, view }) => ({
    html: organizationPage(view, await organizationPageOf(app, orgId, query)),
  }),
);
