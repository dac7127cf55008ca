/** Shows all forms of an organization to its members. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { loadForms, renderOrganizationPage } from '#core/pages/organizers/organization.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showOrganization,
  openOrganization,
  async ({ app, orgId, account, roles, query, context }) => {
    const [head, forms] = await Promise.all([loadHead(app, { orgId, account, roles }), loadForms(app, orgId, query)]);
    return { html: renderOrganizationPage(context, head, { ...forms, newId: newFormField(app) }) };
  },
);
