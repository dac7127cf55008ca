/** Shows the members of an organization. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationReading } from '#core/organizations/service.ts';
import { loadHead } from '#core/pages/organizers/frame.ts';
import { listFirstMembers, loadMembers, renderMembersPage } from '#core/pages/organizers/members.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  organizerPages.showMembers,
  openOrganizationReading(listFirstMembers),
  async ({ app, orgId, account, caller, roles, readAhead, query, context }) => {
    const [head, members] = await Promise.all([
      loadHead(app, { orgId, account, roles }),
      loadMembers(app, orgId, query.get('cursor'), readAhead),
    ]);
    return { html: renderMembersPage(context, head, { ...members, readerId: caller.id }) };
  },
);
