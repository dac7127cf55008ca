/** Shows what is deleted with an organization, and asks for confirmation. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { loadExtent, renderOrganizationDeletionPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.confirmOrganizationDeletion,
  openOrganization,
  async ({ app, orgId, account, roles, context }) => {
    const [head, extent] = await Promise.all([loadHead(app, { orgId, account, roles }), loadExtent(app.table, orgId)]);
    return { html: renderOrganizationDeletionPage(context, head, extent) };
  },
);
