/** Shows the settings of an organization with the history of its slug. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { listSlugUsages } from '#core/organizations/store.ts';
import { toTypedDetails } from '#core/pages/organizers/details.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { MAX_USAGES, renderSettingsPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showSettings,
  openOrganization,
  async ({ app, orgId, account, roles, params: { slug }, context }) => {
    const [head, { items: usages }] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      listSlugUsages(app.table, slug, { limit: MAX_USAGES, after: undefined }),
    ]);
    return { html: renderSettingsPage(context, head, { typed: toTypedDetails(head.org), errors: {}, usages }) };
  },
);
