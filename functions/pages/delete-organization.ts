/** Deletes an organization whose name was typed. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { deleteOrganization } from '#core/deletion/marks.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadHead, withDone } from '#core/pages/organizers/frame.ts';
import { loadExtent, renderOrganizationDeletionPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';

export const handler = page(
  organizerPages.deleteOrganization,
  openOrganization,
  async ({ app, orgId, account, roles, posted, context }) => {
    const head = await loadHead(app, { orgId, account, roles });
    if (posted.fields.get('name')?.trim() !== head.org.name.trim()) {
      const { nameWrong } = getOrganizersTexts(context).delete;
      const extent = await loadExtent(app.table, orgId);
      return { html: renderOrganizationDeletionPage(context, head, extent, nameWrong), status: 400 };
    }
    await deleteOrganization(app, head.org);
    return { location: withDone('/', 'organizationDeleted') };
  },
);
