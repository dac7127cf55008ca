/** Shows all forms of an organization to its members. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { listForms, loadForms, renderOrganizationPage } from '#core/pages/organizers/organization.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showOrganization,
  openOrganizationReading(listForms),
  async ({ app, orgId, account, roles, readAhead, context }) => {
    const [head, forms] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      readAhead().then((list) => loadForms(app.table, orgId, list)),
    ]);
    return { html: renderOrganizationPage(context, head, { ...forms, newId: newFormField(app) }) };
  },
);
